"""The command ``set-referee``: photos in, pieces and SETs out.

Exit status: 0 done, 1 a refusal (``judge``: no SET), 2 bad usage or bad input, 3 a doubt decides, 130 interrupted.
"""

from __future__ import annotations

from typing import Annotated

import typer

from engine.hints import HintLevel
from engine.labels import Language
from service.command_group import RefereeGroup
from service.errors import MissingLibraryError
from service.game import Game
from service.settings import Settings

__all__ = ["app", "main"]

app = typer.Typer(
    cls=RefereeGroup,
    name="set-referee",
    help="Reads photos of SET cards, dice, tiles and boards, lists every SET, and settles disputes.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["--help", "-h"]},
    epilog="First of all: [bold]set-referee demo[/bold]",
)

GameOption = Annotated[
    Game, typer.Option("--game", help="Whose names and rules apply; auto looks at what lies there.", metavar="GAME")
]
BoardOption = Annotated[
    str | None,
    typer.Option("--board", metavar="FILE", help="What is printed on the board, as set-referee board reads it."),
]
WildOption = Annotated[
    list[str] | None, typer.Option("--wild", metavar="R,C=NAME", help="What the Wild on row R, column C stands for.")
]
EmptyOption = Annotated[
    str | None, typer.Option("--empty", metavar="PHOTO", help="A photo of the same board without tiles.")
]
TableOption = Annotated[
    list[str] | None, typer.Option("--option", metavar="NAME=VALUE", help="An option of the table, as in a record.")
]
CornersOption = Annotated[
    tuple[str, str, str, str] | None,
    typer.Option(
        "--corners", metavar="X,Y X,Y X,Y X,Y", help="The board's grid in the picture, clockwise from its own top left."
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON instead of tables; nothing else goes to stdout.")]


def _examples(*lines: str) -> str:
    return "[bold]Examples[/bold]\n\n" + "\n\n".join(lines)


@app.command(
    epilog=_examples(
        "set-referee photo table.jpg",
        "set-referee photo table.jpg --overlay out     also writes out/table.sets.jpg",
        "set-referee photo photos/*.jpg --json > pieces.jsonl",
        "set-referee photo table.jpg --game ravensburger",
        "set-referee photo dice.jpg --game cubed --board board.json",
        'set-referee photo dice.jpg --board board.json --hand "2 red oval, 1 green diamond, wild" --overlay out',
        "set-referee photo tiles.jpg --game junior-1 --board junior.json --empty empty.jpg",
    )
)
def photo(
    photos: Annotated[list[str], typer.Argument(metavar="PHOTO...", help="One photo or many.", show_default=False)],
    game: GameOption = Game.AUTO,
    json: JsonOption = False,
    overlay: Annotated[
        str | None, typer.Option("--overlay", metavar="DIR", help="Also write the pictures with the SETs drawn on.")
    ] = None,
    board: BoardOption = None,
    hand: Annotated[
        str | None, typer.Option("--hand", metavar="FACES", help="Cubed: the faces of a hand; shows its best turn.")
    ] = None,
    wild: WildOption = None,
    empty: EmptyOption = None,
    corners: CornersOption = None,
    option: TableOption = None,
) -> int:
    """List the pieces on photos, and every SET among them.

    PHOTO is a file, or - for one photo on standard input. GAME is auto, classic, ravensburger, setup, junior-1,
    junior-2 or cubed. A photo that cannot be read gets its line on standard error, the others go on, and the exit
    status is 2.
    """
    from service.commands import PhotoRequest, read_photos

    request = PhotoRequest(game, option or (), board, hand, wild or (), empty, corners)
    return read_photos(photos, request, json, overlay, Settings.from_environment())


@app.command(
    epilog=_examples(
        "set-referee judge table.jpg --pick 0,4,7",
        'set-referee judge table.jpg --pick "1 red solid oval,2 red solid oval,3 red solid oval"',
    )
)
def judge(
    photo: Annotated[str, typer.Argument(metavar="PHOTO", help="The photo of the table.", show_default=False)],
    pick: Annotated[
        str,
        typer.Option("--pick", metavar="N,N,N", help="Three pieces: ids of the table or the overlay, or names."),
    ],
) -> int:
    """Settle a disputed call by telling whether three pieces are a SET.

    Exit status 0: a SET; 1: not a SET; 3: unsure, for the answer rests on a piece in doubt.
    """
    from service.commands import judge_photo

    return judge_photo(photo, pick, Settings.from_environment())


@app.command(
    epilog=_examples(
        "set-referee turn before.jpg after.jpg --game cubed --board board.json",
        "set-referee turn before.jpg after.jpg --game cubed --board board.json --record game.jsonl --overlay out",
        'set-referee turn before.jpg after.jpg --game cubed --board board.json --wild "6,4=2 red oval" '
        '--as "5,4=1 red oval"',
        "set-referee turn before.jpg after.jpg --game junior-1 --board junior.json --empty empty.jpg --json",
    )
)
def turn(
    before: Annotated[str, typer.Argument(metavar="BEFORE", help="The board before the turn.", show_default=False)],
    after: Annotated[str, typer.Argument(metavar="AFTER", help="The board after it.", show_default=False)],
    game: Annotated[
        Game, typer.Option("--game", help="cubed or junior-1; without it that of the board file.", metavar="GAME")
    ] = Game.AUTO,
    board: BoardOption = None,
    record: Annotated[
        str | None,
        typer.Option("--record", metavar="FILE", help="The game so far: players, scores, what Wilds stand for."),
    ] = None,
    wild: WildOption = None,
    announced: Annotated[
        list[str] | None,
        typer.Option("--as", metavar="R,C=NAME", help="What a Wild laid now was announced to stand for."),
    ] = None,
    empty: EmptyOption = None,
    corners: CornersOption = None,
    corners_after: Annotated[
        tuple[str, str, str, str] | None,
        typer.Option(
            "--corners-after", metavar="X,Y X,Y X,Y X,Y", help="The same in AFTER, where it is another place."
        ),
    ] = None,
    option: TableOption = None,
    player: Annotated[str | None, typer.Option("--player", metavar="NAME", help="Who played.")] = None,
    json: JsonOption = False,
    overlay: Annotated[
        str | None, typer.Option("--overlay", metavar="DIR", help="Also write AFTER with what was laid drawn on it.")
    ] = None,
) -> int:
    """Referee what was played between two photos of one board, die by die.

    The order of the dice is not seen: the legal one that scores most is taken, and so is the best name of a Wild
    without --as. What Wilds on the board stand for is told by --record or --wild; SETs that rest on others are listed
    as open. Exit status 0: the turn stands; 1: it does not; 3: a doubt decides.
    """
    from service.turn_command import TurnRequest, judge_turn

    request = TurnRequest(
        before, after, game, board, record, wild or (), announced or (), empty, corners, corners_after, option or (),
        player, json, overlay,
    )  # fmt: skip
    return judge_turn(request, Settings.from_environment())


@app.command(
    epilog=_examples(
        "set-referee board empty.jpg --game cubed -o board.json",
        "set-referee board empty.jpg --game cubed -o board.json --rows 13 --columns 13",
        "set-referee board empty.jpg --game junior-1 -o junior.json --force",
    )
)
def board(
    photo: Annotated[
        str, typer.Argument(metavar="PHOTO", help="A photo of the board without pieces.", show_default=False)
    ],
    game: Annotated[Game, typer.Option("--game", help="cubed, junior-1 or junior-2.", metavar="GAME")],
    output: Annotated[str, typer.Option("--output", "-o", metavar="FILE", help="The board file to write.")],
    corners: CornersOption = None,
    rows: Annotated[
        int | None, typer.Option("--rows", min=3, max=99, help="Rows of the grid, if it cannot be counted.")
    ] = None,
    columns: Annotated[int | None, typer.Option("--columns", min=3, max=99, help="Columns of the grid.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Write over a FILE that is there.")] = False,
) -> int:
    """Read a board off a photo of it into a board file, and say what to look at.

    The file is JSON that can be edited: size, logo and bonus squares of Cubed, the 27 spaces of Junior's face 1.
    """
    from service.board_command import read_board

    return read_board(photo, game, output, corners, rows, columns, force, Settings.from_environment())


@app.command(
    name="learn-wild",
    epilog=_examples("set-referee learn-wild wild1.jpg wild2.jpg --board board.json"),
)
def learn_wild(
    photos: Annotated[
        list[str], typer.Argument(metavar="PHOTO...", help="Photos of dice with the Wild up.", show_default=False)
    ],
    board: Annotated[str, typer.Option("--board", metavar="FILE", help="The board file that learns it.")],
    force: Annotated[bool, typer.Option("--force", help="Replace another Wild that FILE knows.")] = False,
) -> int:
    """Teach a table's own Wild face: it is kept in the board file, and known for certain from then on."""
    from service.board_command import learn_wild

    return learn_wild(photos, board, Settings.from_environment(), force=force)


@app.command(
    epilog=_examples(
        "set-referee evaluate photos/labels.jsonl",
        "set-referee evaluate photos/labels.jsonl --predictions pieces.jsonl --json",
        "set-referee evaluate boards/labels.jsonl --game cubed",
        "set-referee evaluate dice/labels.json --find-only",
    )
)
def evaluate(
    labels: Annotated[
        str, typer.Argument(metavar="LABELS", help="Labels, JSON lines; the photos lie beside it.", show_default=False)
    ],
    game: GameOption = Game.AUTO,
    find_only: Annotated[
        bool, typer.Option("--find-only", help="Only whether pieces are found, by their centres; also in boxes.")
    ] = False,
    json: JsonOption = False,
    predictions: Annotated[
        str | None, typer.Option("--predictions", metavar="FILE", help="Also write what was read, a JSON line a photo.")
    ] = None,
) -> int:
    """Print accuracy and speed on labelled photos, by kind of photo and by source.

    A line of LABELS may have "board", the fields of a board file or its path, and "empty", a photo of that board: then
    they are used. With --find-only LABELS may also be JSON of boxes round the top faces of dice.
    """
    try:
        from service.evaluation import Evaluation, evaluate_labels
    except ImportError as error:
        raise MissingLibraryError(error) from error
    return evaluate_labels(Evaluation(labels, game, find_only, json, predictions), Settings.from_environment())


@app.command(
    epilog=_examples(
        "set-referee watch     the first camera: what lies there, and its SETs",
        "set-referee watch 0 --players Ann,Ben --game classic --save-record game.jsonl",
        "set-referee watch game.mp4 --fast --players Ann,Ben --calls calls.jsonl --json > told.jsonl",
        "set-referee watch rtsp://192.168.1.20/table --players Ann,Ben --call-limit 5 --save-video game.mp4",
        "set-referee watch /dev/video2 --game cubed --board board.json --players Ann,Ben",
    )
)
def watch(
    source: Annotated[
        str,
        typer.Argument(metavar="[SOURCE]", help="A camera's number or path, a stream's URL, a video file, a folder."),
    ] = "0",
    fast: Annotated[bool, typer.Option("--fast", help="Play a video as fast as it can be followed.")] = False,
    game: GameOption = Game.AUTO,
    option: TableOption = None,
    board: BoardOption = None,
    settle: Annotated[
        float, typer.Option("--settle", metavar="S", min=0.05, max=10, help="Seconds without change until it counts.")
    ] = 0.4,
    call_limit: Annotated[
        float | None,
        typer.Option(
            "--call-limit", metavar="S", min=0.5, max=600, help="A call is false after so many seconds without a pick."
        ),
    ] = None,
    hints: Annotated[
        HintLevel | None,
        typer.Option("--hints", metavar="LEVEL", help="What is told of SETs: never, yes-no, count, one, two or three."),
    ] = None,
    no_replay: Annotated[bool, typer.Option("--no-replay", help="Keep nothing for disputes.")] = False,
    players: Annotated[
        str | None, typer.Option("--players", metavar="A,B", help="Who plays; with them the game is refereed.")
    ] = None,
    calls: Annotated[
        str | None,
        typer.Option("--calls", metavar="FILE", help='Recorded calls, JSON lines {"at": seconds, "player": name}.'),
    ] = None,
    json: JsonOption = False,
    save_record: Annotated[
        str | None, typer.Option("--save-record", metavar="FILE", help="Write the record of the game as it goes on.")
    ] = None,
    save_video: Annotated[
        str | None, typer.Option("--save-video", metavar="FILE", help="Write what the window shows, .mp4 or .avi.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Write over files that are there.")] = False,
) -> int:
    """Follow a table live: show the SETs, and with players referee the game and settle disputes.

    A window shows the table; ? lists its keys. Events are printed one a line. Without --players nothing is refereed.
    """
    from service.watch_command import WatchRequest, watch_table

    request = WatchRequest(
        source, fast, game, tuple(option or ()), board, settle, call_limit, hints, not no_replay, players, calls, json,
        save_record, save_video, force,
    )  # fmt: skip
    return watch_table(request, Settings.from_environment())


@app.command(
    epilog=_examples(
        "set-referee replay game.jsonl",
        "set-referee replay game.jsonl --json > answers.jsonl",
        "set-referee replay game.jsonl --language de",
    )
)
def replay(
    record: Annotated[
        str, typer.Argument(metavar="RECORD", help="A game as JSON lines: a header, then events.", show_default=False)
    ],
    json: JsonOption = False,
    language: Annotated[
        Language, typer.Option("--language", help="Language of the sentences: en, de, fr or cs.", metavar="LANGUAGE")
    ] = Language.ENGLISH,
) -> int:
    """Referee a recorded game: for each event whether it stands, the clause, why, and the points.

    RECORD is a file, or - for standard input. Exit status 0 where the record could be read, whatever the verdicts; 2
    where it could not, with the number of the line.
    """
    from service.replay import replay_record

    return replay_record(record, json, language)


@app.command(
    epilog=_examples(
        'set-referee hint "1 red solid oval" "2 red solid oval" "3 red solid oval" --level yes-no',
        "set-referee hint --photo table.jpg --level count",
        "set-referee photo table.jpg --json > table.json; set-referee hint --json table.json",
    )
)
def hint(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[NAMES...]", help="Pieces that lie there.", show_default=False)
    ] = None,
    photo: Annotated[str | None, typer.Option("--photo", metavar="PHOTO", help="A photo of the table.")] = None,
    json: Annotated[str | None, typer.Option("--json", metavar="FILE", help="What photo --json said of it.")] = None,
    level: Annotated[
        str, typer.Option("--level", metavar="LEVEL", help="never, yes-no, count, one, two or three (pieces of a SET).")
    ] = "one",
) -> int:
    """Tell as much about the SETs that lie there as is asked for.

    Exit status 3: the hint rests on a piece in doubt.
    """
    from service.hint import give_hint

    return give_hint(names or [], photo, json, level, Settings.from_environment())


@app.command(epilog=_examples("set-referee demo", "set-referee demo --overlay out"))
def demo(
    overlay: Annotated[str, typer.Option("--overlay", "-o", metavar="DIR", help="Where to write demo.sets.jpg.")] = ".",
) -> int:
    """Read the shipped picture, print its SETs, and write it with the SETs drawn on it."""
    from service.commands import read_demo

    return read_demo(overlay, Settings.from_environment())


@app.command(
    epilog=_examples(
        "set-referee serve",
        "set-referee serve --host 0.0.0.0 --https     for phones in the same network, and their cameras",
        "set-referee serve --host 0.0.0.0 --certificate chain.pem --key key.pem",
    )
    + "\n\n[bold]Environment[/bold]\n\n"
    + "\n\n".join(f"{name} (default {default}): {text}" for name, default, text in Settings.documented())
)
def serve(
    host: Annotated[str, typer.Option("--host", help="Address to listen on; 0.0.0.0 is every one.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="Port; 0 takes a free one.")] = 8000,
    https: Annotated[
        bool, typer.Option("--https", help="Speak HTTPS, with a certificate that is made for this machine.")
    ] = False,
    certificate: Annotated[
        str | None, typer.Option("--certificate", metavar="FILE", help="HTTPS with this certificate (PEM) instead.")
    ] = None,
    key: Annotated[str | None, typer.Option("--key", metavar="FILE", help="The key of --certificate (PEM).")] = None,
    qr: Annotated[
        bool | None,
        typer.Option("--qr/--no-qr", help="Show a QR code of the address; by default in a terminal wide enough."),
    ] = None,
) -> int:
    """Run the HTTP service and its web page."""
    from service.serve import ServeRequest, serve_forever

    return serve_forever(ServeRequest(host, port, https, certificate, key, qr), Settings.from_environment())


def main() -> None:
    """Run the command line of this process and leave with its exit status."""
    app()

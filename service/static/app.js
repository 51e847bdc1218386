const byId = (id) => document.getElementById(id);
const address = "/api/v1/photos";
let turn = 0;
let pictureUrl = null;

class Refusal extends Error {}

function element(name, text, className) {
  const made = document.createElement(name);
  made.textContent = text;
  if (className) made.className = className;
  return made;
}

async function post(photo, query) {
  const form = new FormData();
  form.append("photo", photo, photo.name || "photo.jpg");
  let response;
  try {
    response = await fetch(address + query, { method: "POST", body: form });
  } catch {
    throw new Refusal("The service did not answer. The photo may be too large, or the service is not running.");
  }
  if (response.ok) return response;
  let text = `The service answered with status ${response.status}.`;
  try {
    text = (await response.json()).error.text;
  } catch {
    // the text above stands
  }
  throw new Refusal(text);
}

function clear() {
  byId("error").hidden = true;
  byId("result").hidden = true;
  if (pictureUrl) URL.revokeObjectURL(pictureUrl);
  pictureUrl = null;
}

function say(text) {
  byId("status").textContent = text;
}

function fail(error) {
  const text = error instanceof Refusal ? error.message : `Something went wrong: ${error.message}`;
  const answered = !byId("result").hidden;
  if (!answered) say("");
  byId("error").textContent = answered ? `The picture with the SETs is missing. ${text}` : text;
  byId("error").hidden = false;
}

function showSets(answer) {
  const count = answer.sets.length;
  byId("headline").textContent = count === 0 ? "No SET" : count === 1 ? "1 SET" : `${count} SETs`;
  byId("sets").replaceChildren(...answer.sets.map((trio, index) => {
    const item = element("li", trio.map((id) => answer.pieces[id].label).join(", "));
    item.append(" ", element("span", `(${trio.join(", ")})`, "ids"));
    if (!answer.set_sure[index]) item.append(" ", element("span", "unsure: look at the piece in doubt", "doubt"));
    return item;
  }));
}

function showPieces(answer) {
  byId("count").textContent = answer.pieces.length === 1 ? "1 piece" : `${answer.pieces.length} pieces`;
  byId("pieces").replaceChildren(...answer.pieces.map((piece) => {
    const row = document.createElement("tr");
    row.append(element("td", piece.id), element("td", piece.label));
    row.append(element("td", `${Math.round(piece.confidence * 100)} %`), element("td", piece.doubt ?? "", "doubt"));
    return row;
  }));
}

function showAnswer(answer) {
  showSets(answer);
  showPieces(answer);
  byId("problems").replaceChildren(...answer.problems.map((problem) => element("li", problem.text)));
  byId("figure").hidden = true;
  byId("result").hidden = false;
  say(`${answer.file}: read in ${Math.round(answer.ms)} ms`);
}

async function showPicture(photo, mine) {
  const picture = await (await post(photo, "?overlay=1")).blob();
  if (mine !== turn) return;
  pictureUrl = URL.createObjectURL(picture);
  byId("picture").src = pictureUrl;
  byId("figure").hidden = false;
}

async function read(photo) {
  if (!photo) return;
  const mine = ++turn;
  clear();
  say(`Reading ${photo.name || "the photo"} …`);
  try {
    const answer = await (await post(photo, "")).json();
    if (mine !== turn) return;
    showAnswer(answer);
    // the answer stays, whatever becomes of the picture
    await showPicture(photo, mine);
  } catch (error) {
    if (mine === turn) fail(error);
  }
}

async function readExample() {
  try {
    const response = await fetch("/static/demo.jpg");
    if (!response.ok) throw new Refusal("The example picture is not in this installation.");
    await read(new File([await response.blob()], "demo.jpg", { type: "image/jpeg" }));
  } catch (error) {
    fail(error);
  }
}

for (const id of ["take", "choose"]) {
  byId(id).addEventListener("change", (event) => {
    read(event.target.files[0]);
    event.target.value = "";
  });
}
byId("example").addEventListener("click", readExample);
document.addEventListener("paste", (event) => read(event.clipboardData.files[0]));
for (const kind of ["dragover", "dragleave", "drop"]) {
  document.addEventListener(kind, (event) => {
    event.preventDefault();
    byId("drop").classList.toggle("over", kind === "dragover");
    if (kind === "drop") read(event.dataTransfer.files[0]);
  });
}

/** What people read at a table of SET Junior. */
export const JUNIOR = {
  en: {
    score: "Tokens",
    won: "SETs",
    tiles: "Tiles",
    lay: "Tap the tile that you lay.",
    space: "Now tap the space for {piece}.",
  },
  de: {
    score: "Chips",
    won: "SETs",
    tiles: "Plättchen",
    lay: "Tippe das Plättchen an, das du legst.",
    space: "Tippe jetzt das Feld für {piece} an.",
  },
  fr: {
    score: "Jetons",
    won: "SETs",
    tiles: "Tuiles",
    lay: "Touchez la tuile que vous posez.",
    space: "Touchez maintenant la case pour {piece}.",
  },
  cs: {
    score: "Žetony",
    won: "SETy",
    tiles: "Dílky",
    lay: "Klepněte na dílek, který pokládáte.",
    space: "Klepněte na políčko pro {piece}.",
  },
};

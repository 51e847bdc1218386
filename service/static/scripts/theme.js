// The theme that was chosen here, before anything is drawn. A classic script, because modules run too late.
try {
  const theme = JSON.parse(localStorage.getItem("set-referee.theme") || "null");
  const dark = document.getElementById("dark");
  if (dark && (theme === "light" || theme === "dark")) dark.setAttribute("media", theme === "dark" ? "all" : "not all");
} catch {
  // nothing is remembered: the system's theme it is
}

// Before anything is drawn: the theme that was chosen here. A classic script, because modules run too late.
try {
  const theme = JSON.parse(localStorage.getItem("set-referee.theme") || "null");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // nothing is remembered: the system's theme it is
}

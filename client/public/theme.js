// Runs before the first paint, so that neither colours nor language flash. Classic script: it must block.
(function () {
  var root = document.documentElement;
  var saved = null;
  try {
    saved = JSON.parse(localStorage.getItem('yunsou.preferences') || 'null');
  } catch {
    saved = null;
  }
  var theme = saved && saved.theme;
  var dark = theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  root.classList.add(dark ? 'dark' : 'light');
  var language = (saved && saved.language) || (/^zh/i.test(navigator.language) ? 'zh-CN' : 'en');
  root.lang = language;
})();

// Runs before the first paint, so that nobody who chose a theme sees the other one flash up.
;(function () {
  const chosen = /(?:^|; )theme=(light|dark)(?:;|$)/.exec(document.cookie)
  if (chosen) document.documentElement.dataset.theme = chosen[1]
})()

// What the search of the guide ranks first: pages for users, and decisions last.
var Scorer = {
  score: ([page, , , , score]) => (page.startsWith("decisions/") ? score - 100 : score),
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 0, 1: 0, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};

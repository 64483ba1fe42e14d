export const BLOCK_TAGS: ReadonlySet<string> = new Set(
  (
    'document html body address article aside blockquote caption center dd details dialog dir div dl dt fieldset figcaption figure ' +
    'footer form h1 h2 h3 h4 h5 h6 header hgroup hr legend li main menu nav ol p pre search section summary table tbody td ' +
    'tfoot th thead tr ul'
  ).split(' '),
);

/** Never text of a page. */
export const SILENT_TAGS: ReadonlySet<string> = new Set(
  (
    'head title script style template noscript svg math-annotation iframe object embed canvas audio video select option textarea ' +
    'input button link meta map area param source track datalist dialog frameset frame noframes'
  ).split(' '),
);

export const HEADING = /^h[1-6]$/u;

interface HereDocument {
  /** The line that ends it. */
  name: string
  /** `<<-`: tabs before that line are ignored. */
  ignoresTabs: boolean
}

/**
 * The here-documents of an instruction; `unclear` where BuildKit could read it differently, because what follows would then
 * be unchecked instructions. BuildKit splits the line into words as a shell does, and takes each word that
 * begins with `<<`.
 */
export function hereDocumentsIn(args: string): readonly HereDocument[] | 'unclear' {
  if (!args.includes('<<')) return []
  const found: HereDocument[] = []
  const words = wordsOf(args)
  if (words === undefined) return mayStartOne(args) ? 'unclear' : []
  for (const word of words) {
    const [, dash, , name] = /^\d*<<(-?)(["']?)([A-Za-z_]\w*)\2$/.exec(word) ?? []
    if (name !== undefined) found.push({ name, ignoresTabs: dash === '-' })
    // Behind a quote it is text.
    else if (mayStartOne(word.split(/[ \t]/)[0]!)) return 'unclear'
  }
  return found
}

/** Undefined where quotes, escapes, variables or spaces are more than plain. */
function wordsOf(args: string): string[] | undefined {
  if (/[\\`$]|[^\t -~]/.test(args.replace(/\$(?:\w+|\{\w+\})/g, ''))) return undefined
  const pattern = /(?:"[^"]*"|'[^']*'|[^ \t"'])+/g
  const words = args.match(pattern) ?? []
  return args.replace(pattern, '').trim() === '' ? words : undefined
}

/** `<<EOF`, `2<<-"EOF"`, also behind a variable that may be empty; not `<<<`, nor a shift as in `$((1<<2))`. */
function mayStartOne(text: string): boolean {
  return text.split(/[\s\u0085]+/).some((word) => {
    const at = word.indexOf('<<')
    if (at < 0) return false
    const [before, after] = [word.slice(0, at), word.slice(at + 2).replace(/^-/, '')]
    return after !== '' && !after.includes('<') && /^\d*$/.test(before.replace(/\$(?:\{[^{}]*\}|\w+)/g, ''))
  })
}

/** Their lines, with the ones that end them; undefined if one has no end. */
export function takeHereDocuments(
  documents: readonly HereDocument[],
  lines: readonly string[],
  start: number
): string[] | undefined {
  let end = start
  for (const { name, ignoresTabs } of documents) {
    const isEnd = (line: string) => (ignoresTabs ? line.replace(/^\t+/, '') : line) === name
    while (end < lines.length && !isEnd(lines[end]!)) end++
    if (end++ === lines.length) return undefined
  }
  return lines.slice(start, end)
}

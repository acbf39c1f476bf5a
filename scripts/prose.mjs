// `npm run check:prose`: finds phrases that readers stumble over, in everything that a person reads: the dashboard's texts, API messages, docs
// and comments. Each has what to write in its place.
import { readFileSync } from 'node:fs'
import { execFileSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** @type {readonly (readonly [RegExp, string])[]} */
export const phrases = [
  [/\bneeds you\b/i, '“needs attention”'],
  [/\bends again and again\b/i, '“crash-looping”'],
  [/\b(somebody|nobody|whoever|anybody)\b/i, '“you”, or name the person: user, administrator, visitor'],
  [/\bone[’']s own\b/i, '“your”, or “its own”'],
  [/\b(for|of|by|to|from) who (has|have|is|are|runs|wants|asks|may|can|lost)\b/i, 'name the person'],
  [/\b(half|\d+ of 100) within\b/i, '“p50”, “p95”'],
  [/\busers of jobs\b/i, '“job users”'],
  [/\bmade by chance\b/i, '“generated”'],
  [/\bis told (of|so|why|how|what)\b|\bare told\b|\btold of\b/i, '“is notified”, “reports”, “shows”'],
  [/\b(will )?stands? (here|there|above|below|beside|on it)\b/i, '“appears”, “is listed”'],
  [/\bwhat (receivers|it|they) (will )?(think|says?)\b/i, 'the name of the thing: “deliverability”, “mode”'],
  [/\bthings? to look at\b|\blook at it\b/i, '“item”, “inspect”'],
  [/\bcannot be had\b|\bcan be had\b|\bmay be had\b/i, '“is available”, “is not available”'],
  [/\bthere is no such\b|\bno such (project|domain|deployment|account|mailbox|session)\b/i, '“… not found”'],
  [/\b(is|are|was|were) away\b/i, '“is unavailable”, “is not responding”'],
  [/\b(certificate|session|link) has ended\b/i, '“expired”'],
  [/\bmend(s|ed|ing)?\b/i, '“fix”, “repair”'],
  [/\b(goes|go|went|going) on (with|by|as|to|where|until|without)\b/i, '“continues”'],
  [/\bfound by itself\b|\bof itself\b/i, '“detected”, “automatically”'],
  [/\b(in|of) (its|their|one) turn\b/i, '“in order”, “round-robin”'],
  [/\bwork in hand\b|\brequests in hand\b/i, '“in progress”, “in-flight requests”'],
  [/\bknows? nothing of\b|\bhears? of\b/i, '“ignores”, “is notified of”'],
  [/\bas it (was|is) (told|said|meant)\b/i, 'say it plainly'],
  [/\bwhat (is|was) (left|missing|asked|said|meant) (of|for) (it|them)\b/i, 'name the thing'],
  [/\bon our side\b/i, '“internal error”'],
  [/\bdoes what it is told\b/i, '“responds”'],
  [/\bchanged meanwhile\b/i, '“someone else changed this”'],
  [/\btakes? it away\b/i, '“detach”, “remove”'],
  [/\bhold(s)? with the next\b/i, '“takes effect on the next”'],
  [/\bis watched\b|\bwatches whether\b/i, '“is monitored”, “checks whether”'],
  [/\blater ones?\b.*\bearlier ones?\b/i, 'name the things'],
  [/\bthe dear part\b|\bdear to\b/i, '“expensive”']
]

/** Identifiers, message keys and import paths, which are not prose. */
const names = /'[a-z.][\w./-]*'|"[\w.-]+":|\bconst \w+|\.{3}\w+|\w+\(\)|^\s*\w+: \w+,$/g

/** What a person reads; texts of tests are read by their authors. */
const isRead = (path) =>
  (/^packages\/[^/]+\/src\/.*\.(tsx?|json)$/.test(path) &&
    !/\.test\.tsx?$|\.de\.(json|ts)$|\/schema\.ts$/.test(path)) ||
  (/\.md$/.test(path) && path !== 'docs/performance.md')

/** @returns {{ line: number, text: string, advice: string }[]} */
export function problemsIn(text) {
  return text.split('\n').flatMap((line, index) =>
    phrases.flatMap(([pattern, advice]) => {
      const found = pattern.exec(line.replace(names, ''))
      return found ? [{ line: index + 1, text: found[0], advice }] : []
    })
  )
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = dirname(dirname(fileURLToPath(import.meta.url)))
  const paths = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter(isRead)
  const found = paths.flatMap((path) => {
    const text = readFileSync(join(root, path), { encoding: 'utf8' })
    return problemsIn(text).map(({ line, text, advice }) => `${path}:${line}: “${text}”: write ${advice}`)
  })
  if (found.length > 0) console.error(`${found.join('\n')}\n${found.length} phrases`)
  process.exitCode = found.length > 0 ? 1 : 0
}

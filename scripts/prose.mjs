// Part of `npm run check:lint`: finds phrases that readers stumble over in the dashboard's texts, API messages, docs, comments and names of tests,
// and second names for things that the glossary names (docs/glossary.md). Each has what to write instead.
import { readFileSync } from 'node:fs'
import { execFileSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** @type {readonly (readonly [RegExp, string])[]} */
export const phrases = [
  [/\bneeds you\b/i, '“needs attention”'],
  [/\bagain and again\b/i, '“repeatedly”, “at regular intervals”; for a container “crash-looping”'],
  [/\bjust now\b/i, '“currently”, “in a moment”, or leave it out'],
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
  [/\b(goes|go|went|going) on\b/i, '“continues”'],
  [/\b(by|of) itself\b/i, '“automatically”, “on its own”'],
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
  [/\bthe dear part\b|\bdear to\b/i, '“expensive”'],
  [/\bleads? (to|elsewhere|here|there|nowhere)\b/i, '“points to”, “routes to”, “redirects”'],
  [/\bwhat (came|comes|became|becomes) of\b/i, '“the result of”, “the outcome of”'],
  [/\b(is|are|was|were) over(?= *([.,;:!?'"`)|]|\*\/|$))/i, '“has ended”, “expired”'],
  [/\bunder way\b/i, '“in progress”, “in transit”'],
  [/\bat work\b/i, '“running”'],
  [/\bleft out\b/i, '“omitted”, “skipped”'],
  [/\b(opens?|says?|takes?) nothing\b|\bnothing of (it|the|them|his|its|what)\b/i, 'say what happens'],
  [/\bwho runs (it|this|the)\b/i, '“the administrator”'],
  [/\b(many|few|\d+|two|three|five|ten) tries\b|\b(each|every|next|first|second) try\b/i, '“attempts”'],
  [/\blately\b/i, '“recently”'],
  [/\b(how|where) (it|they|everything|things|he|she) stands?\b/i, '“state”'],
  [/\bwritten down\b/i, '“recorded”, “stored”'],
  [/\bas (many|much) (\w+ ){0,3}as (it|they|you|one|there) (may|can|has|is|will)\b/i, '“the maximum”, “the limit”'],
  [/\b(it|he|she|they) (is|are) there already\b|\bis there already\b/i, '“already exists”'],
  [/\b(is|are|was|were) asked\b/i, '“queried”, “requested”'],
  [/(?<!there )\bis no (?!longer\b|need\b)/i, '“is not a”'],
  [/\bof before\b/i, '“previous”'],
  [/\banew\b/i, '“again”; of a counter “reset”'],
  [/\b(comes|came) and (goes|went)\b/i, '“keeps changing”, “flapping”'],
  [/\bswitch(ed|es|ing)? ((it|them|this) )?(on|off)\b/i, '“enable”, “disable”'],
  [/\b(where|if|when) (all|it|everything) is well\b/i, '“if there is no problem”'],
  [/\btells? of\b/i, '“reports”, “notifies of”'],
  [/\bis good for\b/i, '“is valid for”'],
  [/\b(in|from) (the|its|their) place\b/i, '“instead”'],
  [/\bhave something against\b|\bhas something against\b/i, '“reject”'],
  // One name for one thing (docs/glossary.md).
  [/\be-mail/i, '“email”'],
  [/\bthe docker engine\b|\bcontainer runtime\b/i, '“container engine”'],
  [/\b2FA\b(?!_)|\b[Ss]econd factor\b|\b[Tt]wo factor\b/, '“two-factor”'],
  [/\bdeploy(s|ed|ing)? again\b/i, '“redeploy”'],
  [/\bhosting plans?\b/i, '“quotas”'],
  [/\bforwarders?\b/i, '“alias”'],
  [/\bhost names?\b/i, '“hostname”'],
  [/\buser names?\b/i, '“username”'],
  [/\bmail programs?\b/i, '“mail client”'],
  [/\bout[- ]of[- ]office\b|\bauto-repl(y|ies)\b/i, '“autoreply”'],
  [
    /\b[Gg]it address|\bgit (server|host|provider|URL)|\bfrom (a )?git\b/,
    '“repository URL”, “Git repository”, “Git server”'
  ],
  [/\baccounts? (above|below) (yours|it|them|theirs)\b/i, '“parent account”, “sub-account”'],
  [/\bre-?authenticat|\bfresh proof\b/i, '“confirm your identity”'],
  [/\blog(ged|s|ging)? ?-?in(to|s)? (to )?the (panel|dashboard)\b/i, '“sign in to”'],
  [/\bparts? of the server\b|\bserver parts?\b/i, '“component”'],
  [/\baccess tokens?\b|\bapi keys?\b/i, '“API token”']
]

/** Message keys, codes and paths, which are not prose. */
const names = /'[a-z.][\w./-]*'|"[\w.-]+":|\/[\w./{}-]+/g

const isTest = (path) => /\.test\.tsx?$|\.(contract|harness)\.ts$/.test(path)
const isProse = (path) =>
  /^(packages|scripts)\/.*\.(tsx?|mjs|json)$|^\.[\w-]+\.cjs$|\.md$/.test(path) &&
  !/\.de\.(json|ts)$|^packages\/client\/src\/schema\.ts$|^packages\/server\/(drizzle|test)\/|^scripts\/(prose|other-node)/.test(
    path
  ) &&
  !/^docs\/(glossary|performance)\.md$/.test(path)

/** In files of tests only the names of tests are read by others than their authors. */
const testName = /\b(?:test|it|describe)(?:\.\w+(?:\([^'"`]*\))?)*\(\s*(['"`])(.*?)\1,/

/** @returns {{ line: number, text: string, advice: string }[]} */
export function problemsIn(text, isOfTests = false) {
  return text.split('\n').flatMap((line, index) => {
    const prose = isOfTests ? (testName.exec(line)?.[2] ?? '') : line.replace(names, '')
    return phrases.flatMap(([pattern, advice]) => {
      const found = pattern.exec(prose)
      return found ? [{ line: index + 1, text: found[0], advice }] : []
    })
  })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = dirname(dirname(fileURLToPath(import.meta.url)))
  const paths = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((path) => isTest(path) || isProse(path))
  const found = paths.flatMap((path) => {
    const text = readFileSync(join(root, path), { encoding: 'utf8' })
    return problemsIn(text, isTest(path)).map(({ line, text, advice }) => `${path}:${line}: “${text}”: write ${advice}`)
  })
  if (found.length > 0) console.error(`${found.join('\n')}\n${found.length} phrases`)
  process.exitCode = found.length > 0 ? 1 : 0
}

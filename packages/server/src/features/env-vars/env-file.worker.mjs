// dotenv's one regular expression takes quadratic time on hostile text, so it runs where it can be stopped (env-file.service.ts).
// Plain JavaScript, since a worker thread is loaded by Node itself, also from the sources.
import { parentPort, workerData } from 'node:worker_threads'
import { parse } from 'dotenv'

// dotenv assigns to a plain object, which would lose this one key.
let standIn = '_proto_'
while (workerData.includes(standIn)) standIn += '_'
const restored = (text) => text.replaceAll(standIn, '__proto__')
const text = workerData.replaceAll('__proto__', standIn).replace(/\r\n?/g, '\n')

// Where dotenv finds an entry, in its own words (lib/main.js): what of the text is none it does not tell.
const entry =
  /^\s*(?:export\s+)?([\w.-]+)(?:\s*=\s*?|:\s+?)(\s*'(?:\\'|[^'])*'|\s*"(?:\\"|[^"])*"|\s*`(?:\\`|[^`])*`|[^#\n]+)?\s*(?:#.*)?$/gm

// As many as a person may read.
const maxSkipped = 1_000
const entries = new Map()
const skipped = []
let [at, line] = [0, 1]
/** By the codes of env-file.service.ts. */
const skip = (number, code) => skipped.length < maxSkipped && skipped.push({ line: number, code })
/** Tells of the lines up to here that are no entry, nor blank, nor a comment. */
const passOver = (end) => {
  for (const each of text.slice(at, end).split('\n').entries()) {
    if (/^\s*[^\s#]/.test(each[1])) skip(line + each[0], 'NO_VARIABLE')
  }
  line += text.slice(at, end).split('\n').length - 1
  at = end
}
for (const match of text.matchAll(entry)) {
  passOver(match.index)
  const value = (match[2] ?? '').trim()
  const [quote] = value
  const isOpen = ['"', "'", '`'].includes(quote) && value.indexOf(quote, 1) === -1
  const first = line + match[0].slice(0, match[0].search(/\S/)).split('\n').length - 1
  if (isOpen) skip(first, 'OPEN_QUOTE')
  else
    for (const [key, read] of Object.entries(parse(match[0])))
      entries.set(restored(key), { value: restored(read), line: first })
  line += match[0].split('\n').length - 1
  at = match.index + match[0].length
}
passOver(text.length)
parentPort.postMessage({ entries: [...entries].map(([key, entry]) => ({ key, ...entry })), skipped })

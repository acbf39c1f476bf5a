import { plainText } from '../plain-text.ts'

/** Often enough for who watches, and seldom enough that what is drawn does not keep what comes waiting. */
const gatherMs = 150

/** The lines of a growing log, outside of React: appending copies nothing that is there. */
export class LogBuffer {
  readonly lines: string[] = []
  /** Something before the first line is no longer there. */
  isCut = false
  /** How many lines have been let go: the first one that is there is the next after these. */
  dropped = 0
  /** Lines which there are and whose text is not: from the first of them to the one that follows them. */
  #missing = { from: 0, to: 0, open: '' }
  #open = ''
  #shown = ''
  #version = 0
  #told = 0
  #gathering: ReturnType<typeof setTimeout> | undefined
  readonly #most: number
  readonly #listeners = new Set<() => void>()

  /** Without a number all lines are kept; with one its last lines, and up to a tenth more. */
  constructor(most = Infinity) {
    this.#most = most
  }

  /** Takes the next piece, which may begin and end in the middle of a line. */
  append(text: string): void {
    if (text === '') return
    if (this.#open !== '') this.lines.pop()
    const parts = (this.#open + text).split('\n')
    this.#open = parts.at(-1)!
    if (this.#open === '') parts.pop()
    for (const part of parts) this.lines.push(shown(part))
    if (this.lines.length > this.#most * 1.1) this.#drop(this.lines.length - this.#most)
    this.#tell()
  }

  /** How many lines from the first one have their text. */
  get whole(): number {
    return this.isWhole ? this.lines.length : this.#missing.from
  }

  get isWhole(): boolean {
    return this.#missing.from === this.#missing.to
  }

  has(index: number): boolean {
    return index < this.lines.length && (index < this.#missing.from || index >= this.#missing.to)
  }

  /** Of an empty one: so many lines come before the next piece, which tells of both, and their text later, by `fill`. */
  skip(count: number): void {
    this.#missing = { from: 0, to: count, open: '' }
    this.lines.length = 0
    for (let n = 0; n < count; n++) this.lines.push('')
  }

  /** Takes the next piece of the lines that were skipped, and of none beyond them. */
  fill(text: string): void {
    const missing = this.#missing
    const parts = (missing.open + text).split('\n')
    missing.open = parts.pop()!
    for (const part of parts) if (!this.isWhole) this.lines[missing.from++] = shown(part)
    this.#tell()
  }

  /** The lines that are still missing will not come. */
  forgo(): void {
    const { to } = this.#missing
    this.#missing = { from: 0, to: 0, open: '' }
    if (to > 0) this.#drop(to)
    this.#tell()
  }

  /** Takes all of a log that is asked for again and again, and works out what is new. `isCut`: its beginning is no longer given. */
  show(text: string, isCut = false): void {
    if (!text.startsWith(this.#shown)) this.clear()
    this.isCut = isCut
    const next = text.slice(this.#shown.length)
    this.#shown = text
    this.append(next)
  }

  /** What was before the first line is gone. */
  cut(): void {
    this.isCut = true
    this.#tell()
  }

  /** From the beginning, as of another log. */
  clear(): void {
    // Of one that is empty there is nothing to tell, and what comes next is not to wait for the end of telling it.
    if (this.lines.length === 0 && !this.isCut) return
    this.isCut = false
    this.dropped = 0
    this.lines.length = 0
    this.#missing = { from: 0, to: 0, open: '' }
    this.#open = ''
    this.#shown = ''
    this.#tell()
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Another one after each change. */
  readonly version = (): number => this.#version

  #drop(count: number): void {
    this.lines.splice(0, count)
    this.dropped += count
    this.isCut = true
  }

  /** Of the first change at once; of what follows on its heels, together. */
  #tell(): void {
    this.#version++
    if (this.#gathering === undefined) this.#tellNow()
  }

  #tellNow(): void {
    this.#told = this.#version
    for (const listener of this.#listeners) listener()
    this.#gathering = setTimeout(() => {
      this.#gathering = undefined
      if (this.#told !== this.#version) this.#tellNow()
    }, gatherMs)
  }
}

/** A progress bar rewrites its line: what follows the last carriage return is to be seen. */
function shown(line: string): string {
  const text = line.endsWith('\r') ? line.slice(0, -1) : line
  return plainText(text.slice(text.lastIndexOf('\r') + 1))
}

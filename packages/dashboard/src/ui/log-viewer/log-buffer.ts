import { plainText } from '../plain-text.ts'

/** Limits how often React renders new lines. */
const batchMs = 150

/** Lines of a growing log, kept outside of React so that appending copies nothing. */
export class LogBuffer {
  readonly lines: string[] = []
  isCut = false
  /** Number of lines dropped from the start. */
  dropped = 0
  /** Known lines without text yet: [from, to). */
  #missing = { from: 0, to: 0, open: '' }
  #open = ''
  #shown = ''
  #version = 0
  #notified = 0
  #batching: ReturnType<typeof setTimeout> | undefined
  readonly #most: number
  readonly #listeners = new Set<() => void>()

  /** With `most`, keeps that many of the last lines (up to 10% more). */
  constructor(most = Infinity) {
    this.#most = most
  }

  append(text: string): void {
    if (text === '') return
    if (this.#open !== '') this.lines.pop()
    const parts = (this.#open + text).split('\n')
    this.#open = parts.at(-1)!
    if (this.#open === '') parts.pop()
    for (const part of parts) this.lines.push(shown(part))
    if (this.lines.length > this.#most * 1.1) this.#drop(this.lines.length - this.#most)
    this.#notify()
  }

  /** Number of lines from the start that have text. */
  get whole(): number {
    return this.isWhole ? this.lines.length : this.#missing.from
  }

  get isWhole(): boolean {
    return this.#missing.from === this.#missing.to
  }

  has(index: number): boolean {
    return index < this.lines.length && (index < this.#missing.from || index >= this.#missing.to)
  }

  /**
   * For an empty buffer: reserves `count` lines before the next chunk; `fill` adds their text later. The next append
   * notifies for both.
   */
  skip(count: number): void {
    this.#missing = { from: 0, to: count, open: '' }
    this.lines.length = 0
    for (let n = 0; n < count; n++) this.lines.push('')
  }

  fill(text: string): void {
    const missing = this.#missing
    const parts = (missing.open + text).split('\n')
    missing.open = parts.pop()!
    for (const part of parts) if (!this.isWhole) this.lines[missing.from++] = shown(part)
    this.#notify()
  }

  skipMissing(): void {
    const { to } = this.#missing
    this.#missing = { from: 0, to: 0, open: '' }
    if (to > 0) this.#drop(to)
    this.#notify()
  }

  /** Takes a full log from polling and appends only what is new. `isCut`: its beginning was truncated. */
  show(text: string, isCut = false): void {
    if (!text.startsWith(this.#shown)) this.clear()
    this.isCut = isCut
    const next = text.slice(this.#shown.length)
    this.#shown = text
    this.append(next)
  }

  cut(): void {
    this.isCut = true
    this.#notify()
  }

  clear(): void {
    // An empty buffer has nothing to announce, and the next append must not be delayed.
    if (this.lines.length === 0 && !this.isCut) return
    this.isCut = false
    this.dropped = 0
    this.lines.length = 0
    this.#missing = { from: 0, to: 0, open: '' }
    this.#open = ''
    this.#shown = ''
    this.#notify()
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly version = (): number => this.#version

  #drop(count: number): void {
    this.lines.splice(0, count)
    this.dropped += count
    this.isCut = true
  }

  /** Notifies at once for the first change and batches the following ones. */
  #notify(): void {
    this.#version++
    if (this.#batching === undefined) this.#notifyNow()
  }

  #notifyNow(): void {
    this.#notified = this.#version
    for (const listener of this.#listeners) listener()
    this.#batching = setTimeout(() => {
      this.#batching = undefined
      if (this.#notified !== this.#version) this.#notifyNow()
    }, batchMs)
  }
}

/** A progress bar rewrites its line: show what follows the last carriage return. */
function shown(line: string): string {
  const text = line.endsWith('\r') ? line.slice(0, -1) : line
  return plainText(text.slice(text.lastIndexOf('\r') + 1))
}

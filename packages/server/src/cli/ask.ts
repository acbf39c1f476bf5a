import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'

/** A line typed on the terminal; a secret is not shown. */
export async function ask(question: string, signal?: AbortSignal, { isSecret = false } = {}): Promise<string> {
  process.stderr.write(`${question}: `)
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const output = isSecret ? nowhere : process.stderr
  const lines = createInterface({ input: process.stdin, output, terminal: true })
  try {
    return (await lines.question('', signal ? { signal } : {})).trim()
  } finally {
    lines.close()
    if (isSecret) process.stderr.write('\n')
  }
}

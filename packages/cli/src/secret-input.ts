import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { Context } from './context.ts'

/** A secret from standard input: all of it, or a line that is typed without being shown. Arguments are for everybody on the machine to read. */
export async function readSecret({ stdin, stderr, signal }: Context, what: string): Promise<string> {
  if (!stdin.isTTY) return (await text(stdin)).replace(/\r?\n$/, '')
  stderr.write(`${what}: `)
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: stdin, output: nowhere, terminal: true })
  try {
    return await lines.question('', { signal })
  } finally {
    lines.close()
    stderr.write('\n')
  }
}

/**
 * A process of its own for what strangers send: it speaks with the server of the source and with ours through two sockets in its directory,
 * and has nothing else. It is told by lines of its standard input what to do, and that what it has said was taken.
 */
import { createInterface } from 'node:readline'
import { copyMailbox } from './copy-mailbox.ts'
import type { CopyLine, CopyOrder } from './copy-protocol.ts'

const input = createInterface({ input: process.stdin })
const lines = input[Symbol.asyncIterator]()
// Whoever started it is gone: nobody would write down what it does.
input.once('close', () => process.exit(1))

const next = async (): Promise<string> => (await lines.next()).value as string

async function say(line: CopyLine): Promise<void> {
  process.stdout.write(`${JSON.stringify(line)}\n`)
  await next()
}

const order = JSON.parse(await next()) as CopyOrder
await say({ type: 'outcome', ...(await copyMailbox(order, say)) })
process.exit(0)

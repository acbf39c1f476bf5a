import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { readProgress } from './docker-progress.ts'

test('what prints without an end is read with pauses from 16 MiB on, and whole', async () => {
  const chunk = `${JSON.stringify({ stream: 'x'.repeat(64 * 1024 - 14) })}\n`
  let characters = 0
  let pauses = 0
  await readProgress(
    Readable.from(Array.from({ length: 300 }, () => Buffer.from(chunk))),
    ({ stream }) => (characters += stream!.length),
    async () => void pauses++
  )
  expect([characters, pauses]).toEqual([300 * (64 * 1024 - 14), 300 - 256])
})

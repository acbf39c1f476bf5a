import { Readable } from 'node:stream'
import type { Multipart } from '@fastify/multipart'
import { expect, test } from 'vitest'
import { openUploadForm } from './upload-form.service.ts'

function formOf(file: Readable) {
  const part = Object.assign(file, { truncated: false })
  const parts = [
    { type: 'file', fieldname: 'file', filename: 'a', mimetype: 'x/y', file: part } as unknown as Multipart
  ]
  return openUploadForm(parts.values() as unknown as AsyncIterator<Multipart>, 'ann')
}
const read = async (content: AsyncIterable<Buffer>) => {
  const pieces: Buffer[] = []
  for await (const piece of content) pieces.push(piece)
  return pieces
}

test('passes chunks on without copying them', async () => {
  const pieces = Array.from({ length: 40 }, (_, index) => Buffer.alloc(64 * 1024, index))
  const file = new Readable({ highWaterMark: 64 * 1024 * 1024, read() {} })
  for (const piece of pieces) file.push(piece)
  file.push(null)
  const { content } = await formOf(file)
  const given = await read(content())
  expect(given.map((piece) => (pieces as Buffer[]).indexOf(piece))).toEqual([...pieces.keys()])
})

test.each([
  ['fails', new Error('the connection is gone'), 'The form is incomplete'],
  ['ends', undefined, 'The upload was interrupted']
])('rejects a file that %s before it is read', async (_, problem, message) => {
  const file = new Readable({ read() {} })
  file.on('error', () => {})
  const { content } = await formOf(file)
  file.destroy(problem)
  await new Promise((resolve) => file.once('close', resolve))
  await expect(read(content())).rejects.toThrow(message)
})

test('rejects a file that is interrupted while it is read', async () => {
  const file = new Readable({ read() {} })
  file.push(Buffer.from('half'))
  const { content } = await formOf(file)
  const reading = read(content())
  setImmediate(() => file.destroy())
  await expect(reading).rejects.toThrow('The upload was interrupted')
})

test('destroys the file when the reader stops', async () => {
  const file = new Readable({ read() {} })
  file.push(Buffer.from('one'))
  file.push(Buffer.from('two'))
  const { content } = await formOf(file)
  for await (const piece of content()) {
    expect(piece.toString()).toBe('one')
    break
  }
  expect(file.destroyed).toBe(true)
})

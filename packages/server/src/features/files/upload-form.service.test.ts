import { Readable } from 'node:stream'
import type { Multipart } from '@fastify/multipart'
import { expect, test } from 'vitest'
import { openUploadForm } from './upload-form.service.ts'

/** A form that is this file alone. */
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

test('the pieces of a file go on as they came: not one byte is copied', async () => {
  const pieces = Array.from({ length: 40 }, (_, index) => Buffer.alloc(64 * 1024, index))
  const file = new Readable({ highWaterMark: 64 * 1024 * 1024, read() {} })
  for (const piece of pieces) file.push(piece)
  file.push(null)
  const { content } = await formOf(file)
  const given = await read(content())
  expect(given.map((piece) => (pieces as Buffer[]).indexOf(piece))).toEqual([...pieces.keys()])
})

test.each([
  ['fails', new Error('the connection is gone'), 'The form is not complete'],
  ['ends', undefined, 'The form was cut off']
])('a file that %s before anybody reads it is no whole one', async (_, problem, message) => {
  const file = new Readable({ read() {} })
  file.on('error', () => {})
  const { content } = await formOf(file)
  file.destroy(problem)
  await new Promise((resolve) => file.once('close', resolve))
  await expect(read(content())).rejects.toThrow(message)
})

test('a file that breaks off while it is read is no whole one', async () => {
  const file = new Readable({ read() {} })
  file.push(Buffer.from('half'))
  const { content } = await formOf(file)
  const reading = read(content())
  setImmediate(() => file.destroy())
  await expect(reading).rejects.toThrow('The form was cut off')
})

test('who stops reading has the file thrown away', async () => {
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

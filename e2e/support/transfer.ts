import { createHash } from 'node:crypto'
import { request } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Client, RunningPanel } from './panel.ts'

const chunkBytes = 256 * 1024

/** Generates `size` bytes by repeating `chunk`, without holding them in memory. */
export function* bytesOf(size: number, chunk: Buffer): Generator<Buffer> {
  for (let left = size; left > 0; left -= chunk.length) yield left < chunk.length ? chunk.subarray(0, left) : chunk
}

export const zeros = Buffer.alloc(chunkBytes)

export function digest(source: Iterable<Buffer>): string {
  const hash = createHash('sha256')
  for (const chunk of source) hash.update(chunk)
  return hash.digest('hex')
}

interface Sent {
  status: number
  body: { size?: number; path?: string; code?: string }
}

/** Uploads in multipart form with one chunk in memory. */
export async function upload(
  panel: Pick<RunningPanel, 'url'>,
  client: Pick<Client, 'cookie'>,
  projectId: string,
  file: { path?: string; name: string; size: number; content: Iterable<Buffer> | AsyncIterable<Buffer> }
): Promise<Sent> {
  const boundary = 'e2e-boundary'
  const head = Buffer.from(
    `--${boundary}\r\nContent-Disposition: form-data; name="path"\r\n\r\n${file.path ?? ''}\r\n` +
      `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${file.name}"\r\nContent-Type: application/octet-stream\r\n\r\n`
  )
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`)
  const call = request(`${panel.url}/api/files/${projectId}/upload`, {
    method: 'POST',
    headers: {
      cookie: client.cookie,
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': head.length + file.size + tail.length
    }
  })
  const answered = new Promise<Sent>((resolve, reject) => {
    call.on('error', reject)
    call.on('response', (response) => {
      let text = ''
      response.on('data', (chunk: Buffer) => (text += chunk.toString()))
      response.on('end', () => resolve({ status: response.statusCode!, body: JSON.parse(text) as Sent['body'] }))
      response.on('error', reject)
    })
  })
  async function* form() {
    yield head
    yield* file.content
    yield tail
  }
  const [sent] = await Promise.all([answered, pipeline(Readable.from(form(), { objectMode: false }), call)])
  return sent
}

/** Downloads and discards; resolves with the size and SHA-256. */
export async function download(
  panel: Pick<RunningPanel, 'url'>,
  client: Pick<Client, 'cookie'>,
  projectId: string,
  path: string
): Promise<{ status: number; size: number; sha256: string }> {
  const query = new URLSearchParams({ path }).toString()
  return new Promise((resolve, reject) => {
    const call = request(
      `${panel.url}/api/files/${projectId}/download?${query}`,
      { headers: { cookie: client.cookie } },
      (response) => {
        const hash = createHash('sha256')
        let size = 0
        response.on('data', (chunk: Buffer) => {
          size += chunk.length
          hash.update(chunk)
        })
        response.on('end', () => resolve({ status: response.statusCode!, size, sha256: hash.digest('hex') }))
        response.on('error', reject)
      }
    )
    call.on('error', reject)
    call.end()
  })
}

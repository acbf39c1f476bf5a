import { gunzipSync } from 'node:zlib'
import PostalMime from 'postal-mime'
import { fromBufferPromise } from 'yauzl'
import { parseDmarcReport } from './dmarc-report.ts'
import type { DmarcReport } from './mail-reports.ts'

/** Attachments per message and files per archive. Real reports have one file. */
const maxFiles = 4
/** Uncompressed, per file. Reports on millions of messages have a few megabytes. */
export const maxFileBytes = 16 * 2 ** 20

/** The DMARC reports attached to a message (RFC 7489, 7.2.1). Whatever is none is skipped. */
export async function readReports(message: Buffer): Promise<DmarcReport[]> {
  const reports = (await readReportFiles(message)).map((file) => parseDmarcReport(file))
  return reports.filter((report) => report !== undefined)
}

/** Detected by content, because names and types vary. Skips damaged, oversized and nested archives. */
async function readReportFiles(message: Buffer): Promise<string[]> {
  const { attachments } = await PostalMime.parse(message, {
    maxNestingDepth: 10,
    attachmentEncoding: 'arraybuffer'
  }).catch(() => ({ attachments: [] }))
  const texts: string[] = []
  for (const { content } of attachments.slice(0, maxFiles))
    texts.push(...(await unpack(Buffer.from(content as ArrayBuffer)).catch(() => [])))
  return texts.slice(0, maxFiles)
}

async function unpack(bytes: Buffer): Promise<string[]> {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b)
    return [gunzipSync(bytes, { maxOutputLength: maxFileBytes }).toString('utf8')]
  if (bytes.subarray(0, 4).equals(Buffer.from('PK\u0003\u0004'))) return unpackZip(bytes)
  return bytes.length <= maxFileBytes ? [bytes.toString('utf8')] : []
}

async function unpackZip(bytes: Buffer): Promise<string[]> {
  const zip = await fromBufferPromise(bytes, { validateEntrySizes: true })
  const texts: string[] = []
  let left = maxFiles
  for await (const entry of zip.eachEntry()) {
    if (left-- === 0) break
    if (entry.isEncrypted() || entry.uncompressedSize > maxFileBytes) continue
    const chunks: Buffer[] = []
    // Fails if the file is larger than declared (zip bomb).
    for await (const chunk of (await zip.openReadStreamPromise(entry)) as AsyncIterable<Buffer>) chunks.push(chunk)
    texts.push(Buffer.concat(chunks).toString('utf8'))
  }
  return texts
}

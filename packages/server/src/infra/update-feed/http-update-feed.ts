import { z } from 'zod'
import type { UpdateFeed } from './update-feed.ts'

const maxBytes = 64 * 1024

const versionPattern = /^\d{1,9}\.\d{1,9}\.\d{1,9}(?:-[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?(?:\+[0-9A-Za-z.-]+)?$/

const Answer = z.object({
  version: z.string().max(64).regex(versionPattern),
  url: z.url({ protocol: /^https$/ }).max(500),
  security: z.boolean().default(false)
})

/** The administrator configured the URL, so any host is allowed; redirects are refused. */
export function createHttpUpdateFeed({ timeoutMs = 10_000 }: { timeoutMs?: number } = {}): UpdateFeed {
  return {
    async read(url) {
      const response = await fetch(url, {
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
        headers: { accept: 'application/json', 'user-agent': 'hosting-panel' }
      })
      if (!response.ok) {
        await response.body?.cancel()
        throw new Error(`The release feed responded with status ${response.status}`)
      }
      const parts: Uint8Array[] = []
      let bytes = 0
      for await (const part of response.body ?? []) {
        bytes += part.length
        if (bytes > maxBytes) throw new Error('The release feed is too large')
        parts.push(part)
      }
      const { version, url: page, security } = Answer.parse(JSON.parse(Buffer.concat(parts).toString('utf8')))
      return { version, url: page, security }
    }
  }
}

import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Dependencies } from '../dependencies.ts'
import { publicAccess } from './access.ts'
import { readIfExists } from '../infra/disk/read-if-exists.ts'
import { type FirstRequests, firstLinks } from './first-requests.ts'
import { documentHeaders } from './security-headers.ts'
import { sessionTokensOf } from './session.ts'

export const dashboardDirectory = fileURLToPath(new URL('../../../dashboard/dist/', import.meta.url))

const brotli = promisify(brotliCompress)
const firstRequestsFile = 'first-requests.json'
const forever = 'public, max-age=31536000, immutable'
/** Paths that never serve the page, so that a wrong URL gets an error instead of HTML. */
const notPages = /^\/(api|assets|metrics|socket\.io|\.well-known)(\/|$)|\.(br|css|gz|js|json|map|svg|txt|xml)$/

/**
 * Serves the dashboard: immutable assets, and the single page for every other URL a browser opens. Skipped if it is not
 * built. Each file has its own route, so that no other name reaches the disk. Register before the route policy: the
 * page needs no session.
 */
export async function addDashboard(
  app: FastifyInstance,
  deps: Pick<Dependencies, 'config'>,
  directory: string
): Promise<void> {
  const page = await readFile(join(directory, 'index.html'), 'utf8').catch(() => undefined)
  if (page === undefined) return
  await app.register(async (scope) => {
    scope.addHook('onRoute', (route) => {
      route.config = { ...route.config, access: publicAccess, admission: 'free' }
    })
    await scope.register(fastifyStatic, {
      root: directory,
      wildcard: false,
      index: false,
      preCompressed: true,
      cacheControl: false,
      decorateReply: false,
      globIgnore: ['index.html', firstRequestsFile, '**/*.br', '**/*.gz'],
      setHeaders(reply, path) {
        const isAsset = path.includes('/assets/')
        void reply.header('cache-control', isAsset ? forever : 'no-cache')
        void reply.header('vary', 'accept-encoding')
        if (isAsset) for (const name of documentHeaders) reply.removeHeader(name)
      }
    })
  })
  const firstRequests = JSON.parse((await readIfExists(join(directory, firstRequestsFile))) ?? '[]') as FirstRequests[]
  app.addHook('onRequest', async (request, reply) => {
    if (!request.is404 || !isForPage(request)) return
    const nonce = randomBytes(16).toString('base64')
    void reply.type('text/html; charset=utf-8').headers({
      'content-security-policy': pagePolicy(nonce),
      'referrer-policy': 'same-origin',
      'x-frame-options': 'DENY',
      vary: 'accept-encoding'
    })
    const links = firstLinks(firstRequests, request.url, sessionTokensOf(deps, request).length > 0)
    // After the page's own styles: at equal specificity the last rule wins.
    const html = page.replace('__CSP_NONCE__', nonce).replace('</head>', () => `${links}</head>`)
    if (!/\bbr\b/.test(String(request.headers['accept-encoding'] ?? ''))) return reply.send(html)
    const compressed = await brotli(html, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } })
    return reply.header('content-encoding', 'br').send(compressed)
  })
}

const isForPage = ({ method, headers, url }: FastifyRequest): boolean =>
  ['GET', 'HEAD'].includes(method) && (headers.accept ?? '').includes('text/html') && !notPages.test(url.split('?')[0]!)

/** Only own scripts, nothing inline, no other host. The nonce is for style elements that open dialogs add. */
const pagePolicy = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'"
  ].join(';')

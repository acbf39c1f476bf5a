import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'

/** What every answer carries: nothing of it may be cached, framed, guessed at or run. Set as one object, made once. */
export function addSecurityHeaders(app: FastifyInstance, config: Pick<Config, 'PANEL_DOMAIN'>): void {
  const headers = {
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none';frame-ancestors 'none';base-uri 'none';form-action 'none'",
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'origin-agent-cluster': '?1',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-dns-prefetch-control': 'off',
    'x-download-options': 'noopen',
    'x-frame-options': 'SAMEORIGIN',
    'x-permitted-cross-domain-policies': 'none',
    // The filter of old browsers, which did more harm than good.
    'x-xss-protection': '0'
  }
  // Only browsers that came by https heed it. For this name alone: sites below it may have no certificate.
  const overHttps = { ...headers, 'strict-transport-security': 'max-age=31536000' }
  app.addHook('onRequest', (request, reply, done) => {
    void reply.headers(request.protocol === 'https' && config.PANEL_DOMAIN !== undefined ? overHttps : headers)
    done()
  })
}

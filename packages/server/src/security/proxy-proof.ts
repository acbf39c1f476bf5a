import { createHmac } from 'node:crypto'
import type { Config } from '../config.ts'

/** With it the panel's own proxy proves itself; the proxy replaces what a client sends under this name. */
export const proxyHeader = 'x-panel-proxy'

/** Where its connections come from: so they have a share of their own, which nothing that a stranger can reach us by has. */
export const proxySource = '127.0.0.2'

/** The same for every process of one installation, and of no use to who knows it besides: it follows from SESSION_SECRET. */
export const proxySecret = ({ SESSION_SECRET }: Pick<Config, 'SESSION_SECRET'>): string =>
  createHmac('sha256', SESSION_SECRET).update("the panel's own proxy").digest('hex')

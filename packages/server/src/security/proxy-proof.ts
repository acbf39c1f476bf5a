import { createHmac } from 'node:crypto'
import type { Config } from '../config.ts'

/** Header with which the panel's own proxy authenticates; the proxy overwrites it in client requests. */
export const proxyHeader = 'x-panel-proxy'

/** Header with which it reports when the client opened its connection, in milliseconds since 1970. */
export const connectionTimeHeader = 'x-panel-connected'

/** Source address of the proxy's connections, which gives them a separate connection limit. */
export const proxySource = '127.0.0.2'

/** All processes of an installation share it; it reveals nothing about SESSION_SECRET. */
export const proxySecret = ({ SESSION_SECRET }: Pick<Config, 'SESSION_SECRET'>): string =>
  createHmac('sha256', SESSION_SECRET).update("the panel's own proxy").digest('hex')

/** Key of the digests by which the proxy checks logins of domain rules. */
export const proxyLoginKey = ({ SESSION_SECRET }: Pick<Config, 'SESSION_SECRET'>): string =>
  createHmac('sha256', SESSION_SECRET).update('logins of domain rules').digest('hex')

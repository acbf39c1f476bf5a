import { resolve } from 'node:path'
import { z } from 'zod'
import { hostname, httpUrl, whole } from './values.ts'

export const panelVariables = {
  NODE_ENV: z.enum(['production', 'development', 'test']).default('production'),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  WEB_PROCESS: z.enum(['auto', 'separate', 'inside']).default('auto'),
  HOST: z.string().min(1).default('127.0.0.1'),
  PORT: whole(0, 65535).default(3000),
  DATA_DIR: z.string().min(1).default('./data'),
  API_BASE_URL: httpUrl.optional(),
  PANEL_DOMAIN: hostname.optional(),
  BASE_DOMAIN: hostname.default('apps.localhost'),
  /** Update feed with the latest release. Without it there is no update check. */
  UPDATE_FEED_URL: z.url({ protocol: /^https$/ }).optional(),
  /** Public key of minisign that releases are verified with. */
  UPDATE_PUBLIC_KEY: z.string().regex(/^RW[A-Za-z0-9+/]{54}$/, 'Use the line of the public key file that starts with RW').optional(), // oxfmt-ignore
  PUBLIC_IP: z.ipv4().optional(),
  SERVER_IP: z.ipv4().optional(),
  PUBLIC_IPV6: z.ipv6().optional(),
  /** Responds with the client's address as text. */
  PUBLIC_IP_SERVICE: z.url({ protocol: /^https$/ }).optional()
}

export const panelDefaults = (values: {
  DATA_DIR: string
  API_BASE_URL?: string | undefined
  PANEL_DOMAIN?: string | undefined
  PORT: number
}) => ({
  DATA_DIR: resolve(values.DATA_DIR),
  API_BASE_URL:
    values.API_BASE_URL ?? (values.PANEL_DOMAIN ? `https://${values.PANEL_DOMAIN}` : `http://localhost:${values.PORT}`)
})

/** Default domain for the panel's own hostnames. */
export const ownDomain = (values: { PANEL_DOMAIN?: string | undefined; BASE_DOMAIN: string }): string =>
  values.PANEL_DOMAIN ?? values.BASE_DOMAIN

export interface Addresses {
  PUBLIC_IP?: string | undefined
  SERVER_IP?: string | undefined
  PUBLIC_IPV6?: string | undefined
}

/** Addresses of this server from the configuration. */
export const configuredAddresses = ({ SERVER_IP, PUBLIC_IP, PUBLIC_IPV6 }: Addresses): string[] =>
  [SERVER_IP, PUBLIC_IP, PUBLIC_IPV6].filter((address) => address !== undefined)

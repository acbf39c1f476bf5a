import { resolve } from 'node:path'
import { z } from 'zod'
import { hostname, httpUrl, whole } from './values.ts'

/** The panel itself: where it listens, keeps its state, and is reached. */
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
  /** What names the newest release; nothing is asked where it is not set. */
  UPDATE_FEED_URL: z.url({ protocol: /^https$/ }).optional(),
  PUBLIC_IP: z.ipv4().optional(),
  SERVER_IP: z.ipv4().optional(),
  PUBLIC_IPV6: z.ipv6().optional(),
  /** Answers with the address that it was asked from, as text. */
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

/** What names of the panel's own are made of, where nothing else is said. */
export const ownDomain = (values: { PANEL_DOMAIN?: string | undefined; BASE_DOMAIN: string }): string =>
  values.PANEL_DOMAIN ?? values.BASE_DOMAIN

export interface Addresses {
  PUBLIC_IP?: string | undefined
  SERVER_IP?: string | undefined
  PUBLIC_IPV6?: string | undefined
}

/** The addresses of this server that somebody has set. */
export const configuredAddresses = ({ SERVER_IP, PUBLIC_IP, PUBLIC_IPV6 }: Addresses): string[] =>
  [SERVER_IP, PUBLIC_IP, PUBLIC_IPV6].filter((address) => address !== undefined)

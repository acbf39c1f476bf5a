import { z } from 'zod'
import { parsedBy, port } from './values.ts'

/** Published TCP ports of projects. */
export const tcpPortVariables = {
  TCP_PORTS: z.string().default('off').pipe(parsedBy(parsePorts)),
  TCP_TLS_PORT: port.optional()
}

export interface PortRange {
  first: number
  last: number
}

const maxPorts = 1_000

/** Undefined if no ports are published. */
export function tcpPortRange({ TCP_PORTS }: { TCP_PORTS: string }): PortRange | undefined {
  const [, first, last] = /^(\d+)-(\d+)$/.exec(TCP_PORTS) ?? []
  return first === undefined ? undefined : { first: Number(first), last: Number(last) }
}

/** All that the proxy listens on for them. */
export function publishedPorts(config: { TCP_PORTS: string; TCP_TLS_PORT?: number | undefined }): number[] {
  const { first, last } = tcpPortRange(config) ?? { first: 1, last: 0 }
  const range = Array.from({ length: last - first + 1 }, (_, at) => first + at)
  return config.TCP_TLS_PORT === undefined ? range : [...range, config.TCP_TLS_PORT]
}

/** A text such as `20000-20099`, or `off`. Throws with a sentence that says what is wrong. */
function parsePorts(text: string): string {
  const range = tcpPortRange({ TCP_PORTS: text })
  if (range === undefined && text === 'off') return text
  if (range === undefined || range.first < 1 || range.last > 65_535 || range.last < range.first)
    throw new Error('must be a range of ports such as 20000-20099, or off')
  if (range.last - range.first >= maxPorts) throw new Error(`must have at most ${maxPorts} ports`)
  return text
}

/**
 * The proxy would bind a port twice without an error, and connections would reach one or the other. Other programs' ports
 * are found when it starts.
 */
export function tcpPortsProblem(values: {
  TCP_PORTS: string
  TCP_TLS_PORT?: number | undefined
  PROXY_HTTP_PORT: number
  PROXY_HTTPS_PORT: number
}): { variable: 'TCP_PORTS' | 'TCP_TLS_PORT'; problem: string } | undefined {
  const { TCP_TLS_PORT, PROXY_HTTP_PORT, PROXY_HTTPS_PORT } = values
  const sites = [PROXY_HTTP_PORT, PROXY_HTTPS_PORT]
  if (TCP_TLS_PORT !== undefined && sites.includes(TCP_TLS_PORT))
    return { variable: 'TCP_TLS_PORT', problem: 'must not be the HTTP or HTTPS port of sites' }
  const range = tcpPortRange(values)
  const own = TCP_TLS_PORT === undefined ? sites : [...sites, TCP_TLS_PORT]
  return range && own.some((each) => each >= range.first && each <= range.last)
    ? { variable: 'TCP_PORTS', problem: 'must not contain PROXY_HTTP_PORT, PROXY_HTTPS_PORT or TCP_TLS_PORT' }
    : undefined
}

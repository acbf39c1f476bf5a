import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { BlockList, isIP } from 'node:net'
import { withTimeLimit } from '../../concurrency/time-limit.ts'
import { allowedBy, type ReachableAddresses } from '../../net/reachable-address.ts'
import { pinnedTo, systemAddresses } from '../outbound-http/pinned-address.ts'
import { RegistryError } from './image-registry.ts'

export interface RegistryHttpOptions extends ReachableAddresses {
  timeoutMs?: number
  addressesOf?: (host: string) => Promise<string[]>
}

export interface RegistryAnswer {
  status: number
  headers: Readonly<Record<string, string | string[] | undefined>>
  body: Buffer
}

export interface RegistryRequest {
  method: 'GET' | 'HEAD'
  headers: Readonly<Record<string, string>>
}

const maxBodyBytes = 4 * 2 ** 20
const maxHeaderBytes = 32 * 1024

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')
const isLoopback = (address: string) => loopback.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')

/**
 * Sends a request to an address that the server may reach for users (SSRF). `url` is without a protocol for a registry:
 * plain HTTP is only spoken to this machine, as the engine does. Redirects are returned, not followed.
 */
export async function askRegistry(
  options: RegistryHttpOptions,
  registry: string,
  path: string,
  { method, headers }: RegistryRequest
): Promise<RegistryAnswer> {
  const { timeoutMs = 15_000, addressesOf = systemAddresses } = options
  const authority = URL.parse(`https://${registry}`)
  const host = authority?.hostname.replace(/^\[|\]$/g, '') ?? ''
  const addresses = await findAddresses(host, addressesOf, timeoutMs, registry)
  if (!addresses.every(allowedBy(options))) throw new RegistryError('REGISTRY_REFUSED_ADDRESS', { host: registry })
  const isLocal = addresses.every(isLoopback)
  const url = new URL(path, `${isLocal ? 'http' : 'https'}://${registry}`)
  const signal = AbortSignal.timeout(timeoutMs)
  const send = isLocal ? httpRequest : httpsRequest
  return new Promise((resolve, reject) => {
    const lookup = pinnedTo(addresses)
    const request = send(url, { method, headers, agent: false, lookup, maxHeaderSize: maxHeaderBytes, signal })
    const fail = (error: unknown) => {
      request.destroy()
      reject(signal.aborted ? new RegistryError('REGISTRY_SILENT', { host: registry }) : notReached(registry, error))
    }
    request.once('error', fail)
    request.once('close', () => fail(undefined))
    request.once('response', (response) => {
      const chunks: Buffer[] = []
      let size = 0
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk)
        size += chunk.length
        if (size > maxBodyBytes) fail(new Error('the response is too large'))
      })
      response.once('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) })
      )
      response.once('error', fail)
    })
    request.end()
  })
}

async function findAddresses(
  host: string,
  addressesOf: NonNullable<RegistryHttpOptions['addressesOf']>,
  timeoutMs: number,
  registry: string
): Promise<string[]> {
  if (isIP(host) !== 0) return [host]
  const found = host === '' ? [] : await withTimeLimit(addressesOf(host), Math.min(5_000, timeoutMs)).catch(() => [])
  if (found.length === 0)
    throw new RegistryError('REGISTRY_NOT_REACHED', { host: registry, problem: 'its name could not be resolved' })
  return found
}

function notReached(host: string, error: unknown): RegistryError {
  const { code = '', message = '' } = (error ?? {}) as NodeJS.ErrnoException
  const isTls = /CERT|TLS|SSL|SIGNED|ALTNAME/.test(code)
  const problem = isTls ? `its certificate is not trusted (${code})` : code || message || 'the connection was closed'
  return new RegistryError('REGISTRY_NOT_REACHED', { host, problem })
}

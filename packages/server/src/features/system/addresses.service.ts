import type { ServerAddresses } from '@panel/contract/system'
import { z } from 'zod'
import type { Dependencies } from '../../dependencies.ts'
import { messageOf } from '../../text/message-of.ts'
import { isPublicAddress } from '../../net/public-address.ts'
import { workerVerb } from '../../worker/worker-verb.ts'
import { machineAddresses, publicIpv6Of } from '../domains/public-ip.service.ts'

type Deps = Pick<Dependencies, 'config'>

const answerWithinMs = 5_000
const maxAnswerBytes = 256

/** Addresses of the interfaces, and the public one according to PUBLIC_IP_SERVICE, queried once. */
export const findAddresses = workerVerb('system.addresses', [], async ({ config }: Deps): Promise<ServerAddresses> => {
  const found = [...machineAddresses('IPv4'), ...machineAddresses('IPv6')]
  const service =
    config.PUBLIC_IP_SERVICE === undefined
      ? null
      : await askService(config.PUBLIC_IP_SERVICE).then(
          (address) => ({ url: config.PUBLIC_IP_SERVICE!, address, problem: null }),
          (error: unknown) => ({ url: config.PUBLIC_IP_SERVICE!, address: null, problem: messageOf(error) })
        )
  const firstPublic = found.find((address) => isIpv4(address) && isPublicAddress(address))
  return {
    interfaces: found.map((address) => ({ address, isPublic: isPublicAddress(address) })),
    service,
    publicIp: config.PUBLIC_IP ?? null,
    publicIpv6: publicIpv6Of(config),
    suggestedIp: firstPublic ?? service?.address ?? null
  }
})

async function askService(url: string): Promise<string> {
  const answer = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(answerWithinMs) })
  const text = (await boundedText(answer)).trim()
  if (!answer.ok || !isIpv4(text)) throw new Error('The service did not answer with an IPv4 address')
  return text
}

async function boundedText({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    chunks.push(chunk)
    size += chunk.length
    if (size > maxAnswerBytes) throw new Error('The answer is too long for an address')
  }
  return Buffer.concat(chunks).toString('utf8')
}

const isIpv4 = (text: string) => z.ipv4().safeParse(text).success

import type { Dependencies } from '../../dependencies.ts'
import { AppError } from '../../errors.ts'
import { renderAutoconfig } from './autoconfig.render.ts'
import { outlookSchema, renderAutodiscover } from './autodiscover.render.ts'
import { parseAutodiscoverRequest } from './autodiscover-request.policy.ts'
import { domainOf, findDomainSettings } from './client-settings.service.ts'

type Deps = Pick<Dependencies, 'config' | 'db' | 'now'>

export async function autoconfigOf(deps: Deps, address: string | undefined, host: string): Promise<string> {
  const hostname = address === undefined ? host.replace(/^autoconfig\./, '') : domainOf(address)
  const { domain, services } = await findDomainSettings(deps, hostname)
  return renderAutoconfig(domain, services)
}

export async function autodiscoverOf(deps: Deps, body: string): Promise<string> {
  const request = parseAutodiscoverRequest(body)
  if ('problem' in request) throw new AppError('VALIDATION_ERROR', `Invalid Autodiscover request: ${request.problem}`)
  if (request.schema !== undefined && request.schema !== outlookSchema)
    throw new AppError('NOT_FOUND', 'Only IMAP and SMTP settings are available')
  const { services } = await findDomainSettings(deps, domainOf(request.address))
  return renderAutodiscover(request.address, services)
}

export async function autodiscoverAddressOf(
  deps: Deps,
  address: string,
  protocol: string
): Promise<{ Protocol: string; Url: string }> {
  if (protocol.toLowerCase() !== 'autodiscoverv1')
    throw new AppError('NOT_FOUND', 'Only IMAP and SMTP settings are available: request AutodiscoverV1')
  const { domain } = await findDomainSettings(deps, domainOf(address))
  return { Protocol: 'AutodiscoverV1', Url: `https://autodiscover.${domain}/autodiscover/autodiscover.xml` }
}

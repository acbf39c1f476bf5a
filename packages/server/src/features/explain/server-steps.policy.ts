import { failed, notApplicable, notChecked, ok, skipped } from './verdict.policy.ts'
import type {
  CertificateObservations,
  ProjectObservations,
  RouteObservations,
  ServerObservations,
  Verdict
} from './observations.types.ts'

export function connectionStep({ isProxyUp, closedPorts, unreachable }: ServerObservations): Verdict {
  if (!isProxyUp) return failed({ code: 'WEB_SERVER_DOWN' }, { code: 'RESTART_PROXY' })
  if (closedPorts.length > 0)
    return failed({ code: 'FIREWALL_CLOSED', values: { ports: closedPorts.map(String) } }, { code: 'OPEN_FIREWALL' })
  if (unreachable !== null) return failed({ code: 'PORT_UNREACHABLE', values: unreachable }, { code: 'OPEN_PORT' })
  return ok({ code: 'WEB_SERVER_UP' })
}

/** A missing certificate fails nothing: the site is served over HTTP. */
export function tlsStep(seen: CertificateObservations, now: Date): Verdict {
  const { hostname, certificate, caaProblem, presented } = seen
  if (certificate === null) return skipped({ code: 'NO_CERTIFICATE' }, { code: 'ORDER_CERTIFICATE' })
  const { type, status, validTo, hasContent, problem } = certificate
  const renew = { code: type === 'CUSTOM' ? 'UPLOAD_CERTIFICATE' : 'RENEW_CERTIFICATE' } as const
  if (hasContent && validTo !== null && validTo.getTime() <= now.getTime()) {
    const reason = caaProblem ?? problem
    return failed(
      { code: 'CERTIFICATE_EXPIRED', values: { validTo: day(validTo) } },
      ...(reason === null
        ? []
        : [{ code: caaProblem === null ? 'CERTIFICATE_FAILED' : 'CERTIFICATE_CAA', values: { reason } } as const]),
      renew
    )
  }
  if (!hasContent) {
    if (caaProblem !== null) return failed({ code: 'CERTIFICATE_CAA', values: { reason: caaProblem } }, renew)
    if (status === 'PENDING') return skipped({ code: 'CERTIFICATE_PENDING' })
    return failed({ code: 'CERTIFICATE_FAILED', values: { reason: problem ?? '' } }, renew)
  }
  if (presented === null) return notChecked
  if (!presented.isForName)
    return failed({ code: 'CERTIFICATE_NOT_SERVED', values: { hostname } }, { code: 'WAIT_FOR_RECONCILE' })
  return ok({ code: 'CERTIFICATE_VALID', values: { validTo: day(presented.validTo) } })
}

export function routeStep({ hostname, kind, domain, project }: RouteObservations): Verdict {
  if (kind === 'panel') return ok({ code: 'ROUTE_PANEL', values: { hostname } })
  if (domain !== null && !domain.isVerified)
    return failed({ code: 'DOMAIN_NOT_VERIFIED', values: { domain: domain.hostname } }, { code: 'VERIFY_DOMAIN' })
  if (project === null)
    return domain === null
      ? notApplicable
      : failed({ code: 'DOMAIN_UNATTACHED', values: { domain: domain.hostname } }, { code: 'ATTACH_DOMAIN' })
  const code = project.isAsleep ? 'ROUTE_ASLEEP' : 'ROUTE_SET'
  return projectProblem(project) ?? ok({ code, values: { hostname, project: project.name } })
}

function projectProblem(found: ProjectObservations): Verdict | undefined {
  const values = { project: found.name }
  if (found.isSuspended) return failed({ code: 'ACCOUNT_SUSPENDED' }, { code: 'RESUME_ACCOUNT' })
  if (!found.isDeployed) {
    if (found.isDeploying) return failed({ code: 'DEPLOYMENT_RUNNING', values })
    return found.isLastDeploymentFailed
      ? failed({ code: 'DEPLOYMENT_FAILED', values }, { code: 'READ_DEPLOYMENT' })
      : failed({ code: 'NEVER_DEPLOYED', values }, { code: 'DEPLOY_PROJECT' })
  }
  if (!found.isStopped) return undefined
  return found.stopReason === null
    ? failed({ code: 'PROJECT_STOPPED', values }, { code: 'START_PROJECT' })
    : failed(
        { code: 'PROJECT_STOPPED_BY_LIMIT', values: { ...values, reason: found.stopReason } },
        { code: 'START_PROJECT' }
      )
}

const day = (date: Date): string => date.toISOString().slice(0, 10)

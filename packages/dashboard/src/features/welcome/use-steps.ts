import { useQuery } from '@tanstack/react-query'
import { certificateQuery } from '../certificates/certificates.queries.ts'
import { projectsQuery } from '../projects/projects.queries.ts'
import { dnsCheckQuery, isLive, panelDomainQuery, type StepName, stepNames, welcomeQuery } from './welcome.queries.ts'

const good = ['ACTIVE', 'EXPIRING_SOON']

/** What of the set-up is done, as the server has it, and what was left out. */
export function useSteps() {
  const dns = useQuery(dnsCheckQuery)
  const info = dns.data
  const { data: domain = null } = useQuery(panelDomainQuery(info?.domain ?? null))
  const { data: certificate = null } = useQuery({ ...certificateQuery(domain?.id ?? ''), enabled: domain !== null })
  const { data: projects } = useQuery(projectsQuery({}))
  const { data: welcome } = useQuery(welcomeQuery)
  const panelRecord = info?.records.find(({ name }) => name === info.domain)
  const others = info?.records.filter((record) => record !== panelRecord) ?? []
  const isDone: Record<StepName, boolean> = {
    domain: panelRecord !== undefined && isLive(panelRecord),
    certificate: certificate !== null && good.includes(certificate.status),
    records: others.length > 0 && others.every(isLive),
    project: (projects?.pagination.total ?? 0) > 0
  }
  const skipped = welcome?.skipped ?? []
  return {
    dns,
    panelRecord,
    others,
    domain,
    certificate,
    isDone,
    skipped,
    next: stepNames.find((name) => !isDone[name] && !skipped.includes(name))
  }
}

export type Steps = ReturnType<typeof useSteps>

import { useQuery } from '@tanstack/react-query'
import { mailDomainsQuery } from './mail-domains.queries.ts'

export function useDomainName(id: string | undefined): string | undefined {
  const { data: domains = [] } = useQuery(mailDomainsQuery)
  return domains.find((domain) => domain.id === id)?.hostname
}

import { useQuery } from '@tanstack/react-query'
import { mailDomainsQuery } from './mailboxes.queries.ts'

/** Of the domain by which a list is filtered. */
export function useDomainName(id: string | undefined): string | undefined {
  const { data: domains = [] } = useQuery(mailDomainsQuery)
  return domains.find((domain) => domain.id === id)?.hostname
}

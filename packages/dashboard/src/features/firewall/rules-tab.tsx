import { useQuery } from '@tanstack/react-query'
import { ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import { FileSection } from './file-section.tsx'
import { firewallQuery } from './firewall.queries.ts'
import { RulesSection } from './rules-section.tsx'

export function RulesTab() {
  const { data: state, error, refetch } = useQuery(firewallQuery)
  if (!state) return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <RowsSkeleton rows={8} />
  return (
    <>
      <RulesSection key={state.version} state={state} />
      <FileSection state={state} />
    </>
  )
}

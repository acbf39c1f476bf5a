import { useQuery } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import { useMessages } from '../../i18n/i18n.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { VariableSections } from './variable-sections.tsx'
import { variableMessages } from './variables.messages.ts'
import { groupsQuery } from './variables.queries.ts'

const from = '/signed-in/account/variable-groups/$groupId'

export function GroupPage() {
  const t = useMessages(variableMessages)
  const { groupId } = useParams({ from })
  const { q = '' } = useSearch({ from })
  const { data: list } = useQuery(groupsQuery)
  const group = list?.groups.find(({ id }) => id === groupId)
  return (
    <>
      <PageHeader
        title={group?.name ?? t('column.group')}
        crumbs={[{ label: t('groups'), link: { to: '/account/variable-groups' } }]}
      />
      <VariableSections holder={{ kind: 'group', id: groupId }} search={q} />
    </>
  )
}

import { Button, Group, NativeSelect } from '@mantine/core'
import { IconArrowUp, IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useMessages } from '../../i18n/i18n.tsx'
import card from '../../ui/card.module.css'
import { IconButton } from '../../ui/icon-button.tsx'
import { Section } from '../../ui/section.tsx'
import { EmptyState, ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import { useAction } from '../../ui/use-action.ts'
import { variableMessages } from './variables.messages.ts'
import { groupsKey, groupsQuery, projectGroupsKey, projectGroupsQuery, setProjectGroups } from './variables.queries.ts'

/** The groups whose variables a project gets, by precedence. */
export function ProjectGroups({ projectId }: { projectId: string }) {
  const t = useMessages(variableMessages)
  const { data: attached, error, refetch } = useQuery(projectGroupsQuery(projectId))
  const { data: all } = useQuery(groupsQuery)
  const [chosen, setChosen] = useState('')
  const save = useAction({
    run: (groupIds: string[]) => setProjectGroups(projectId, groupIds),
    invalidates: [projectGroupsKey(projectId), groupsKey],
    done: () => t('groups.saved')
  })
  if (error && !attached) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!attached || !all) return <RowsSkeleton rows={2} />
  const ids = attached.groups.map(({ id }) => id)
  const others = all.groups.filter(({ id }) => !ids.includes(id))
  const next = others.find(({ id }) => id === chosen) ?? others[0]
  const moveUp = (at: number) => ids.toSpliced(at, 1).toSpliced(at - 1, 0, ids[at]!)
  return (
    <Section
      title={t('groups.of')}
      hint={t('groups.of.hint')}
      actions={<Link to="/account/variable-groups">{t('groups.manage')}</Link>}
    >
      {attached.groups.length === 0 ? (
        <EmptyState title={t('groups.of.none')} />
      ) : (
        <table className={`${card.table} ${card.cards}`}>
          <thead>
            <tr>
              <th scope="col">{t('column.group')}</th>
              <td />
            </tr>
          </thead>
          <tbody>
            {attached.groups.map(({ id, name }, at) => (
              <tr key={id}>
                <td>
                  <Link to="/account/variable-groups/$groupId" params={{ groupId: id }}>
                    {name}
                  </Link>
                </td>
                <td className={card.end}>
                  <IconButton
                    label={t('groups.up', { name })}
                    disabled={at === 0 || save.isPending}
                    onClick={() => save.start(moveUp(at))}
                  >
                    <IconArrowUp size={16} aria-hidden />
                  </IconButton>
                  <IconButton
                    label={t('groups.detach', { name })}
                    disabled={save.isPending}
                    onClick={() => save.start(ids.filter((other) => other !== id))}
                  >
                    <IconX size={16} aria-hidden />
                  </IconButton>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {next && (
        <Group gap="xs" mt="md" align="end">
          <NativeSelect
            label={t('column.group')}
            value={next.id}
            data={others.map(({ id, name }) => ({ value: id, label: name }))}
            onChange={({ target }) => setChosen(target.value)}
          />
          <Button variant="default" loading={save.isPending} onClick={() => save.start([...ids, next.id])}>
            {t('groups.attach')}
          </Button>
        </Group>
      )}
    </Section>
  )
}

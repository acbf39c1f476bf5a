import { Button, Group, TextInput } from '@mantine/core'
import { CreateEnvGroup } from '@panel/contract/env-vars'
import { IconTrash } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useMessages } from '../../i18n/i18n.tsx'
import card from '../../ui/card.module.css'
import { useContractForm } from '../../ui/form/use-contract-form.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Section } from '../../ui/section.tsx'
import { EmptyState, ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import { useDelayedAction } from '../../ui/use-delayed-action.ts'
import { variableMessages } from './variables.messages.ts'
import { createGroup, deleteGroup, groupsKey, groupsQuery } from './variables.queries.ts'

export function GroupsTab() {
  const t = useMessages(variableMessages)
  const { data: list, error, refetch } = useQuery(groupsQuery)
  const remove = useDelayedAction({
    run: ({ id }: { id: string; name: string }) => deleteGroup(id),
    invalidates: [groupsKey],
    doneMessage: ({ name }) => t('groups.deleted', { name })
  })
  if (error && !list) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!list) return <RowsSkeleton rows={4} />
  const groups = list.groups.filter(({ id }) => !remove.pending.has(id))
  return (
    <>
      <Section title={t('groups')} hint={t('groups.hint')}>
        {groups.length === 0 ? (
          <EmptyState title={t('groups.none')} hint={t('groups.none.hint')} />
        ) : (
          <table className={`${card.table} ${card.cards}`}>
            <thead>
              <tr>
                <th scope="col">{t('column.group')}</th>
                <th scope="col">{t('title')}</th>
                <th scope="col">{t('column.projects')}</th>
                <td />
              </tr>
            </thead>
            <tbody>
              {groups.map(({ id, name, variables, projects }) => (
                <tr key={id}>
                  <td>
                    <Link to="/account/variable-groups/$groupId" params={{ groupId: id }}>
                      {name}
                    </Link>
                  </td>
                  <td>{variables}</td>
                  <td>{projects.map((project) => project.name).join(', ')}</td>
                  <td className={card.end}>
                    <IconButton
                      label={t('delete', { key: name })}
                      data-delete={id}
                      onClick={() => remove.start({ id, name })}
                    >
                      <IconTrash size={16} aria-hidden />
                    </IconButton>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </Section>
      <Section title={t('groups.add')}>
        <GroupForm />
      </Section>
    </>
  )
}

function GroupForm() {
  const t = useMessages(variableMessages)
  const client = useQueryClient()
  const navigate = useNavigate()
  const { form, submit, isPending, failure } = useContractForm({
    schema: CreateEnvGroup,
    initialValues: { name: '' },
    send: createGroup,
    fieldOfCode: { ENV_GROUP_EXISTS: 'name' },
    onSaved: async ({ id }) => {
      await client.invalidateQueries({ queryKey: groupsKey })
      await navigate({ to: '/account/variable-groups/$groupId', params: { groupId: id } })
    }
  })
  return (
    <form onSubmit={submit} noValidate aria-label={t('groups.add')}>
      {failure !== undefined && <Notice tone="bad">{failure}</Notice>}
      <Group gap="xs" align="end">
        <TextInput
          label={t('column.group')}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          dir="ltr"
          {...form.getInputProps('name')}
          key={form.key('name')}
        />
        <Button type="submit" loading={isPending}>
          {t('groups.create')}
        </Button>
      </Group>
    </form>
  )
}

import { Button, Stack, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { UpdateUser } from '@panel/contract/accounts'
import { useQueryClient } from '@tanstack/react-query'
import { api, data } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import formClasses from '../../ui/form/form.module.css'
import { useContractForm } from '../../ui/form/use-contract-form.ts'
import { useFollowing } from '../../ui/form/use-following.ts'
import { Notice } from '../../ui/notice.tsx'
import { Section } from '../../ui/section.tsx'
import { userMessages } from './users.messages.ts'
import type { Account } from './users.queries.ts'

export function UserIdentity({ user, mayChangeEmail }: { user: Account; mayChangeEmail: boolean }) {
  const t = useMessages(userMessages)
  const client = useQueryClient()
  const initialValues = { name: user.name, email: user.email }
  const { form, submit, isPending, failure } = useContractForm({
    schema: UpdateUser,
    initialValues,
    send: ({ name, email }) =>
      data(
        api.PATCH('/api/users/{id}', {
          params: { path: { id: user.id } },
          body: { name, ...(email !== user.email && { email }) }
        })
      ),
    onSaved: async () => {
      notifications.show({ message: t('saved'), role: 'status' })
      await client.invalidateQueries({ queryKey: ['users'] })
      await client.invalidateQueries({ queryKey: ['me'] })
    },
    fieldOfCode: { EMAIL_EXISTS: 'email' }
  })
  const key = useFollowing(form, initialValues)
  return (
    <Section title={t('person')} hint={mayChangeEmail ? t('person.hint') : t('person.own')}>
      <form key={key} onSubmit={submit} noValidate className={formClasses.form}>
        <Stack gap="md">
          {failure !== undefined && <Notice tone="bad">{failure}</Notice>}
          <TextInput label={t('name')} autoComplete="off" {...form.getInputProps('name')} />
          <TextInput
            label={t('email')}
            type="email"
            autoComplete="off"
            disabled={!mayChangeEmail}
            {...form.getInputProps('email')}
          />
          <div>
            <Button type="submit" variant="default" loading={isPending}>
              {t('save')}
            </Button>
          </div>
        </Stack>
      </form>
    </Section>
  )
}

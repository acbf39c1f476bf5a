import { Button, NumberInput, Stack } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { MailboxPassword, MailboxQuota } from '@panel/contract/mailboxes'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { z } from 'zod'
import { api, data, type Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { CopyField } from '../../ui/copy-field.tsx'
import formClasses from '../../ui/form/form.module.css'
import { useContractForm } from '../../ui/form/use-contract-form.ts'
import { Notice } from '../../ui/notice.tsx'
import { Section } from '../../ui/section.tsx'
import { mailboxMessages } from './mailboxes.messages.ts'
import { newPassword } from './new-password.ts'
import { PasswordField } from './password-field.tsx'

const NewPassword = z.object({ password: MailboxPassword })
const NewQuota = z.object({ quota: MailboxQuota })

const change = (id: string, body: z.output<typeof NewPassword> | z.output<typeof NewQuota>) =>
  data(api.PATCH('/api/mailboxes/{id}', { params: { path: { id } }, body }))

export function ChangePassword({ mailboxId }: { mailboxId: string }) {
  const t = useMessages(mailboxMessages)
  // Not cached; only kept to be copied.
  const [saved, setSaved] = useState<string>()
  const { form, submit, isPending, failure } = useContractForm({
    schema: NewPassword,
    initialValues: { password: '' },
    send: async (body) => {
      await change(mailboxId, body)
      return body.password
    },
    onSaved: (password) => {
      setSaved(password)
      form.reset()
    }
  })
  return (
    <Section title={t('password.new')} hint={t('password.new.hint')}>
      <form onSubmit={submit} noValidate className={formClasses.form}>
        <Stack gap="md">
          {failure !== undefined && <Notice tone="bad">{failure}</Notice>}
          {saved !== undefined && (
            <>
              <Notice tone="ok">{t('password.saved')}</Notice>
              <CopyField label={t('password')} value={saved} />
            </>
          )}
          <PasswordField
            {...form.getInputProps('password')}
            key={form.key('password')}
            onAnother={() => form.setFieldValue('password', newPassword())}
          />
          <div>
            <Button type="submit" variant="default" loading={isPending}>
              {t('password.save')}
            </Button>
          </div>
        </Stack>
      </form>
    </Section>
  )
}

export function ChangeQuota({ mailbox: { id, quota } }: { mailbox: Schema<'Mailbox'> }) {
  const t = useMessages(mailboxMessages)
  const client = useQueryClient()
  const { form, submit, isPending, failure } = useContractForm({
    schema: NewQuota,
    initialValues: { quota },
    send: (body) => change(id, body),
    onSaved: () => {
      notifications.show({ message: t('quota.saved'), role: 'status' })
      void client.invalidateQueries({ queryKey: ['mailboxes'] })
    }
  })
  return (
    <Section title={t('quota')} hint={t('quota.change.hint')}>
      <form onSubmit={submit} noValidate className={formClasses.form}>
        <Stack gap="md">
          {failure !== undefined && <Notice tone="bad">{failure}</Notice>}
          <NumberInput
            label={t('quota')}
            min={1}
            allowDecimal={false}
            suffix=" MB"
            {...form.getInputProps('quota')}
            key={form.key('quota')}
          />
          <div>
            <Button type="submit" variant="default" loading={isPending}>
              {t('quota.save')}
            </Button>
          </div>
        </Stack>
      </form>
    </Section>
  )
}

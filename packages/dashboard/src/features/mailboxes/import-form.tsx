import { Button, NativeSelect, NumberInput, PasswordInput, Stack, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { CreateMailboxImport } from '@panel/contract/mailbox-imports'
import { useQueryClient } from '@tanstack/react-query'
import { z } from 'zod'
import { api, data } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import formClasses from '../../ui/form/form.module.css'
import { useContractForm } from '../../ui/form/use-contract-form.ts'
import { Notice } from '../../ui/notice.tsx'
import { uiMessages } from '../../ui/ui.messages.ts'
import { importMessages } from './imports.messages.ts'
import classes from './mailboxes.module.css'

const Import = z
  .object({
    host: z.string(),
    port: z.union([z.number(), z.literal('')]),
    security: z.enum(['TLS', 'STARTTLS']),
    username: z.string(),
    password: z.string()
  })
  .transform(({ port, ...rest }): z.input<typeof CreateMailboxImport> => (port === '' ? rest : { ...rest, port }))
  .pipe(CreateMailboxImport)

export function ImportForm({ mailboxId }: { mailboxId: string }) {
  const t = useMessages(importMessages)
  const ui = useMessages(uiMessages)
  const client = useQueryClient()
  const { form, submit, isPending, failure } = useContractForm({
    schema: Import,
    initialValues: { host: '', port: '' as number | '', security: 'TLS' as 'TLS' | 'STARTTLS', username: '', password: '' }, // oxfmt-ignore
    send: (body) => data(api.POST('/api/mailboxes/{id}/imports', { params: { path: { id: mailboxId } }, body })),
    onSaved: () => {
      notifications.show({ message: t('started'), role: 'status' })
      form.reset()
      void client.invalidateQueries({ queryKey: ['mailboxes', mailboxId, 'imports'] })
    }
  })
  const field = (name: 'host' | 'port' | 'security' | 'username' | 'password') => ({
    ...form.getInputProps(name),
    key: form.key(name)
  })
  return (
    <form onSubmit={submit} noValidate className={formClasses.form}>
      <Stack gap="md">
        {failure !== undefined && <Notice tone="bad">{failure}</Notice>}
        <TextInput
          label={t('host')}
          description={t('host.hint')}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          {...field('host')}
        />
        <div className={classes.fields}>
          <NativeSelect
            label={t('security')}
            description={t('security.hint')}
            data={['TLS', 'STARTTLS']}
            {...field('security')}
          />
          <NumberInput
            label={t('port')}
            description={t('port.hint')}
            allowDecimal={false}
            hideControls
            {...field('port')}
          />
        </div>
        <TextInput
          label={t('username')}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          {...field('username')}
        />
        <PasswordInput
          label={t('password')}
          description={t('password.hint')}
          autoComplete="off"
          visibilityToggleButtonProps={{ 'aria-label': ui('password.show') }}
          {...field('password')}
        />
        <div>
          <Button type="submit" loading={isPending}>
            {t('start')}
          </Button>
        </div>
      </Stack>
    </form>
  )
}

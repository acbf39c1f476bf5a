import { Button, Stack, Textarea } from '@mantine/core'
import { AddSshKey } from '@panel/contract/sftp'
import { IconTrash } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { api, data } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import formClasses from '../../ui/form/form.module.css'
import { useContractForm } from '../../ui/form/use-contract-form.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Section } from '../../ui/section.tsx'
import { useAction } from '../../ui/use-action.ts'
import classes from './sftp.module.css'
import { sftpMessages } from './sftp.messages.ts'

export function SftpKeys({ keys }: { keys: readonly string[] }) {
  const t = useMessages(sftpMessages)
  const remove = useAction({
    run: (publicKey: string) => data(api.POST('/api/sftp/remove-ssh-key', { body: { publicKey } })),
    invalidates: [['sftp']],
    done: () => t('key.removed')
  })
  return (
    <Section title={t('keys')} hint={t('keys.hint')}>
      <ul className={classes.keys}>
        {keys.map((key) => (
          <li key={key}>
            <code dir="ltr">{key}</code>
            <IconButton
              label={t('key.remove', { key: key.split(' ').at(-1) ?? '' })}
              disabled={remove.isPending}
              onClick={() => remove.start(key)}
            >
              <IconTrash size={16} aria-hidden />
            </IconButton>
          </li>
        ))}
      </ul>
      <AddKey />
    </Section>
  )
}

function AddKey() {
  const t = useMessages(sftpMessages)
  const client = useQueryClient()
  const { form, submit, isPending, failure } = useContractForm({
    schema: AddSshKey,
    initialValues: { publicKey: '' },
    send: (body) => data(api.POST('/api/sftp/add-ssh-key', { body })),
    onSaved: () => {
      form.reset()
      void client.invalidateQueries({ queryKey: ['sftp'] })
    }
  })
  return (
    <form onSubmit={submit} noValidate className={formClasses.form}>
      <Stack gap="md">
        {failure !== undefined && <Notice tone="bad">{failure}</Notice>}
        <Textarea
          label={t('key')}
          description={t('key.hint')}
          rows={3}
          autoComplete="off"
          spellCheck={false}
          {...form.getInputProps('publicKey')}
          key={form.key('publicKey')}
        />
        <div>
          <Button type="submit" loading={isPending}>
            {t('key.add')}
          </Button>
        </div>
      </Stack>
    </form>
  )
}

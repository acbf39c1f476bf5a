import { Button, Stack, Textarea, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { SetAutoreply } from '@panel/contract/mailboxes'
import { useQueryClient } from '@tanstack/react-query'
import { z } from 'zod'
import { api, data, type Schema } from '../../api/client.ts'
import { useI18n, useMessages } from '../../i18n/i18n.tsx'
import formClasses from '../../ui/form/form.module.css'
import { useContractForm } from '../../ui/form/use-contract-form.ts'
import { Notice } from '../../ui/notice.tsx'
import { useAction } from '../../ui/use-action.ts'
import classes from './mailboxes.module.css'
import { replyMessages } from './reply.messages.ts'

const replyIn = (fromFieldTime: (text: string) => string) => {
  const fieldTime = z.string().transform((text) => (text === '' ? null : fromFieldTime(text)))
  return z
    .object({
      subject: z.string().transform((text) => text.trim() || null),
      text: z.string(),
      from: fieldTime,
      until: fieldTime
    })
    .transform((reply): z.input<typeof SetAutoreply> => reply)
    .pipe(SetAutoreply)
}

export function ReplyForm({ mailboxId, reply }: { mailboxId: string; reply: Schema<'Autoreply'> | null }) {
  const t = useMessages(replyMessages)
  const client = useQueryClient()
  const { fieldTime, fromFieldTime, timeZone } = useI18n()
  const shown = (time: string | null | undefined) => (time == null ? '' : fieldTime(time))
  const params = { path: { id: mailboxId } }
  const { form, submit, isPending, failure } = useContractForm({
    schema: replyIn(fromFieldTime),
    initialValues: { subject: reply?.subject ?? '', text: reply?.text ?? '', from: shown(reply?.from), until: shown(reply?.until) }, // oxfmt-ignore
    send: (body) => data(api.PUT('/api/mailboxes/{id}/autoreply', { params, body })),
    onSaved: () => {
      notifications.show({ message: t('saved'), role: 'status' })
      void client.invalidateQueries({ queryKey: ['mailboxes'] })
    }
  })
  const remove = useAction({
    run: () => data(api.DELETE('/api/mailboxes/{id}/autoreply', { params })),
    invalidates: [['mailboxes']],
    done: () => t('removed')
  })
  return (
    <form onSubmit={submit} noValidate className={formClasses.form}>
      <Stack gap="md" mt="md">
        {failure !== undefined && <Notice tone="bad">{failure}</Notice>}
        <TextInput
          label={t('subject')}
          description={t('subject.hint')}
          autoComplete="off"
          {...form.getInputProps('subject')}
        />
        <Textarea label={t('text')} rows={6} {...form.getInputProps('text')} />
        <div className={classes.fields}>
          <TextInput
            label={t('from')}
            description={t('from.hint', { timeZone })}
            type="datetime-local"
            {...form.getInputProps('from')}
          />
          <TextInput
            label={t('until')}
            description={t('until.hint', { timeZone })}
            type="datetime-local"
            {...form.getInputProps('until')}
          />
        </div>
        <div className={classes.row}>
          <Button type="submit" loading={isPending}>
            {t('save')}
          </Button>
          {reply !== null && (
            <Button variant="default" loading={remove.isPending} onClick={() => remove.start()}>
              {t('remove')}
            </Button>
          )}
        </div>
      </Stack>
    </form>
  )
}

import { Button, Checkbox, NumberInput, Stack, Textarea } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { UpdateSpamSettings } from '@panel/contract/mail-spam'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { z } from 'zod'
import { api, data, type Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import formClasses from '../../ui/form/form.module.css'
import { linesOf } from '../../ui/form/lines.ts'
import { useContractForm } from '../../ui/form/use-contract-form.ts'
import { useFollowing } from '../../ui/form/use-following.ts'
import { Notice } from '../../ui/notice.tsx'
import { Section } from '../../ui/section.tsx'
import { ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import { mailAuthKey, spamQuery } from './mail-auth.queries.ts'
import { spamMessages } from './spam.messages.ts'

export function SpamSettings({ domainId }: { domainId: string }) {
  const t = useMessages(spamMessages)
  const { data: settings, error, refetch } = useQuery(spamQuery(domainId))
  return (
    <Section title={t('title')} hint={t('hint')}>
      {error && !settings && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!error && !settings && <RowsSkeleton rows={3} height={52} />}
      {settings && (settings.filter === 'off' ? <Notice tone="info">{t('off')}</Notice> : <Form settings={settings} />)}
    </Section>
  )
}

const shape = UpdateSpamSettings.shape

const SpamForm = z.object({
  enabled: z.boolean(),
  junkScore: shape.junkScore,
  refuseScore: shape.refuseScore,
  greylisting: z.boolean(),
  allow: linesOf(shape.allow),
  deny: linesOf(shape.deny)
})

function Form({ settings }: { settings: Schema<'SpamSettings'> }) {
  const t = useMessages(spamMessages)
  const client = useQueryClient()
  const { domainId, enabled, junkScore, refuseScore, greylisting, allow, deny } = settings
  const initialValues = { enabled, junkScore, refuseScore, greylisting, allow: allow.join('\n'), deny: deny.join('\n') }
  const { form, submit, isPending, failure, lastSaved } = useContractForm({
    schema: SpamForm,
    initialValues,
    send: ({ junkScore: junk, refuseScore: refuse, ...values }) =>
      data(
        api.PATCH('/api/mail/spam/{domainId}', {
          params: { path: { domainId } },
          body: {
            ...values,
            ...(junk !== undefined && { junkScore: junk }),
            ...(refuse !== undefined && { refuseScore: refuse })
          }
        })
      ),
    onSaved: async () => {
      notifications.show({ message: t('saved'), role: 'status' })
      await client.invalidateQueries({ queryKey: mailAuthKey(domainId) })
    }
  })
  const key = useFollowing(form, initialValues, lastSaved)
  const points = { step: 0.5, decimalScale: 1, min: 1, max: 1_000, hideControls: true }
  return (
    <form key={key} onSubmit={submit} noValidate className={formClasses.form} aria-label={t('title')}>
      <Stack gap="md">
        {failure !== undefined && <Notice tone="bad">{failure}</Notice>}
        <Checkbox label={t('enabled')} {...form.getInputProps('enabled', { type: 'checkbox' })} />
        <NumberInput label={t('junk')} description={t('junk.hint')} {...points} {...form.getInputProps('junkScore')} />
        <NumberInput
          label={t('refuse')}
          description={t('refuse.hint')}
          {...points}
          {...form.getInputProps('refuseScore')}
        />
        <Checkbox
          label={t('greylisting')}
          description={t('greylisting.hint')}
          {...form.getInputProps('greylisting', { type: 'checkbox' })}
        />
        {(['allow', 'deny'] as const).map((name) => (
          <Textarea
            key={name}
            label={t(name)}
            description={t(`${name}.hint`)}
            rows={4}
            autoCapitalize="none"
            spellCheck={false}
            dir="ltr"
            {...form.getInputProps(name)}
          />
        ))}
        <div>
          <Button type="submit" variant="default" loading={isPending}>
            {t('save')}
          </Button>
        </div>
      </Stack>
    </form>
  )
}

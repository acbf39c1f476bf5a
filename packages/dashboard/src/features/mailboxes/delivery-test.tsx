import { Button, Group, Stack, TextInput } from '@mantine/core'
import { CreateDeliveryTest } from '@panel/contract/delivery-tests'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, data, type Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import formClasses from '../../ui/form/form.module.css'
import { useContractForm } from '../../ui/form/use-contract-form.ts'
import { Notice } from '../../ui/notice.tsx'
import { SentenceText } from '../../ui/sentence-text.tsx'
import { Section } from '../../ui/section.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import type { Tone } from '../../ui/tone.ts'
import { meQuery } from '../auth/me.queries.ts'
import classes from './delivery-test.module.css'
import { deliveryMessages } from './delivery-test.messages.ts'
import { deliveryTestQuery } from './mail-delivery.queries.ts'

type Test = Schema<'DeliveryTest'>

export function DeliveryTest({ mailboxId }: { mailboxId: string }) {
  const t = useMessages(deliveryMessages)
  const { data: me } = useQuery(meQuery)
  const [testId, setTestId] = useState<string>()
  const { form, submit, isPending, failure } = useContractForm({
    schema: CreateDeliveryTest,
    initialValues: { mailboxId, to: me?.email ?? '' },
    send: (body) => data(api.POST('/api/mail/delivery-tests', { body })),
    onSaved: ({ id }) => setTestId(id),
    fieldOfCode: { INVALID_TARGET: 'to' }
  })
  return (
    <Section title={t('title')} hint={t('hint')}>
      <form onSubmit={submit} noValidate className={formClasses.form} aria-label={t('title')}>
        <Stack gap="md">
          {failure !== undefined && <Notice tone="bad">{failure}</Notice>}
          <TextInput
            label={t('to')}
            description={t('to.hint')}
            type="email"
            autoComplete="off"
            dir="ltr"
            {...form.getInputProps('to')}
          />
          <Group>
            <Button type="submit" variant="default" loading={isPending}>
              {t('send')}
            </Button>
          </Group>
        </Stack>
      </form>
      {testId !== undefined && <Outcome testId={testId} />}
    </Section>
  )
}

const states: Record<Test['status'], { tone: Tone; isBusy?: true }> = {
  SENDING: { tone: 'info', isBusy: true },
  QUEUED: { tone: 'info', isBusy: true },
  DEFERRED: { tone: 'warn' },
  DELIVERED: { tone: 'ok' },
  ANSWERED: { tone: 'ok' },
  BOUNCED: { tone: 'bad' },
  FAILED: { tone: 'bad' }
}
const marks: Record<Test['checks']['spf']['status'], { tone: Tone; isBusy?: true }> = {
  pass: { tone: 'ok' },
  fail: { tone: 'bad' },
  pending: { tone: 'info', isBusy: true },
  unknown: { tone: 'idle' }
}
const message = { detail: deliveryMessages }
const checks = ['accepted', 'delivered', 'tls', 'spf', 'dkim', 'dmarc'] as const

function Outcome({ testId }: { testId: string }) {
  const t = useMessages(deliveryMessages)
  const { data: test, error } = useQuery(deliveryTestQuery(testId))
  if (error && !test) return <Notice tone="warn">{error.message}</Notice>
  if (!test) return null
  const { tone, isBusy = false } = states[test.status]
  return (
    <div className={classes.outcome} role="status">
      <p>
        <StatusBadge tone={tone} isBusy={isBusy}>
          {t(`status.${test.status}`)}
        </StatusBadge>{' '}
        <span dir="ltr">{test.to}</span>
      </p>
      <ul className={classes.checks}>
        {checks.map((name) => {
          const { status, detail, sentences } = test.checks[name]
          return (
            <li key={name}>
              <StatusBadge tone={marks[status].tone} isBusy={marks[status].isBusy ?? false}>
                {t(`check.${name}`)}
                <span className="vh">: {t(status)}</span>
              </StatusBadge>
              <span className={classes.detail} dir="ltr">
                <SentenceText by={message} sentences={sentences}>
                  {detail}
                </SentenceText>
              </span>
            </li>
          )
        })}
      </ul>
    </div>
  )
}

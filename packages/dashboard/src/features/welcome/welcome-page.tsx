import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ComponentType, useState } from 'react'
import { useMessages } from '../../i18n/i18n.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { ErrorState, RowsSkeleton } from '../../ui/states.tsx'
import { CertificateStep } from './certificate-step.tsx'
import { DomainStep } from './domain-step.tsx'
import { MailStep, NameServersStep, TwoFactorStep } from './option-steps.tsx'
import { ProjectStep } from './project-step.tsx'
import { Step } from './step.tsx'
import { type Steps, useSteps } from './use-steps.ts'
import { welcomeMessages } from './welcome.messages.ts'
import { saveWelcome, type StepName, stepNames } from './welcome.queries.ts'

const bodies: Record<StepName, ComponentType<{ steps: Steps }>> = {
  twoFactor: TwoFactorStep,
  domain: DomainStep,
  certificate: CertificateStep,
  project: ProjectStep,
  nameServers: NameServersStep,
  mail: MailStep
}

/** From the first account to the first site. Steps are done according to the server; each can be skipped. */
export function WelcomePage() {
  const t = useMessages(welcomeMessages)
  const client = useQueryClient()
  const navigate = useNavigate()
  const steps = useSteps()
  const [chosen, setChosen] = useState<StepName>()
  const { dns, isDone, skipped, next } = steps
  if (dns.error && !dns.data) return <ErrorState isPage error={dns.error} onRetry={() => void dns.refetch()} />
  const open = chosen ?? next
  const leave = () => {
    if (next === undefined) saveWelcome(client, { isOpen: false, skipped })
    void navigate({ to: '/' })
  }
  const skip = (name: StepName) => {
    saveWelcome(client, { isOpen: true, skipped: [...skipped, name] })
    setChosen(undefined)
  }
  const take = (name: StepName) => {
    saveWelcome(client, { isOpen: true, skipped: skipped.filter((each) => each !== name) })
    setChosen(name)
  }
  return (
    <>
      <PageHeader
        title={t('title')}
        facts={
          <span>{t('count', { done: stepNames.filter((name) => isDone[name]).length, all: stepNames.length })}</span>
        }
        actions={
          <Button variant={next === undefined ? 'filled' : 'default'} onClick={leave}>
            {t(next === undefined ? 'finish' : 'leave')}
          </Button>
        }
      />
      {dns.data ? (
        stepNames.map((name, at) => {
          const Body = bodies[name]
          return (
            <Step
              key={name}
              number={at + 1}
              name={name}
              state={isDone[name] ? 'done' : skipped.includes(name) ? 'skipped' : 'todo'}
              isOpen={open === name}
              onSkip={() => skip(name)}
              onTake={() => take(name)}
            >
              <Body steps={steps} />
            </Step>
          )
        })
      ) : (
        <RowsSkeleton rows={4} height={88} />
      )}
    </>
  )
}

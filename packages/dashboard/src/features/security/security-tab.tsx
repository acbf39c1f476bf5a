import { ChangePasswordSection } from './change-password.tsx'
import { Sessions } from './sessions.tsx'
import { TwoFactor } from './two-factor.tsx'

export function SecurityTab() {
  return (
    <>
      <TwoFactor />
      <ChangePasswordSection />
      <Sessions />
    </>
  )
}

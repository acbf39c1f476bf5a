import {
  authCheckNames,
  type AuthChecks,
  type DeliverabilityGrade,
  deliverabilityGrades
} from '@panel/contract/mail-auth'

const pointsEach = 25
const least: Readonly<Record<DeliverabilityGrade, number>> = {
  Excellent: 100,
  Good: 75,
  'Needs Improvement': 50,
  Poor: 0
}

export const scoreOf = (checks: AuthChecks): number =>
  authCheckNames.filter((name) => checks[name].status === 'pass').length * pointsEach

export const gradeOf = (score: number): DeliverabilityGrade =>
  deliverabilityGrades.find((grade) => score >= least[grade]) ?? 'Poor'

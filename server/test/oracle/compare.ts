/** Requests every report of a world and compares it with the oracle's. */

import { MoneyComparison } from './compare-money.ts'
import { PeopleComparison } from './compare-people.ts'
import { ReportComparison } from './compare-reports.ts'
import { ComparisonSetup } from './comparison-setup.ts'
import { type Difference, Differences } from './differences.ts'
import { Expected } from './expected.ts'
import { Facts } from './facts.ts'
import type { Step, World } from './history.ts'
import { overridesOf } from './overrides.ts'
import type { Player } from './player.ts'
import { createRandom } from './random.ts'

/** Feeds the world, then compares; empty if both agree. `afterStep` may make changes that affect no figure. */
export async function findDifferences(
  player: Player,
  world: World,
  thorough: boolean,
  afterStep?: (index: number, step: Step, player: Player) => Promise<void>,
): Promise<Difference[]> {
  const differences = new Differences()
  const facts = new Facts(world, player.spelling)
  const overrides = overridesOf(world.seed)
  if (overrides.when === 'first') await player.saveChannelRules(overrides.rules)
  for (const [index, step] of world.steps.entries()) {
    const { response, ids } = await player.play(step)
    differences.check(`step ${index} ${step.type}`, facts.apply(step, ids), response)
    await afterStep?.(index, step, player)
  }
  await player.settle()
  if (overrides.when === 'last') await player.saveChannelRules(overrides.rules)
  const expected = new Expected(facts)
  const random = createRandom(world.seed ^ 0x5eed)
  const setup = new ComparisonSetup({ player, expected, found: differences, random, thorough })
  await new ReportComparison(setup).run()
  await new MoneyComparison(setup).run()
  await new PeopleComparison(setup).run()
  return differences.all
}

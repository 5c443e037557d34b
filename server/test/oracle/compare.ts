/** Asks for every report of a fed world and sets it next to what the oracle expects. */

import { Asking } from './asking.ts'
import { MoneyComparison } from './compare-money.ts'
import { PeopleComparison } from './compare-people.ts'
import { ReportComparison } from './compare-reports.ts'
import { type Difference, Differences } from './differences.ts'
import { Expected } from './expected.ts'
import { Facts } from './facts.ts'
import type { Player } from './feed.ts'
import type { Step, World } from './history.ts'
import { overridesOf } from './overrides.ts'
import { createRandom } from './random.ts'

/** Feeds the world, then compares; empty when the two agree. `afterStep` may do what no figure shows. */
export async function findDifferences(
  player: Player,
  world: World,
  thorough: boolean,
  afterStep?: (index: number, step: Step, player: Player) => Promise<void>,
): Promise<Difference[]> {
  const found = new Differences()
  const facts = new Facts(world, player.spelling)
  const overrides = overridesOf(world.seed)
  if (overrides.when === 'first') await player.saveChannelRules(overrides.rules)
  for (const [index, step] of world.steps.entries()) {
    const { said, ids } = await player.play(step)
    found.check(`step ${index} ${step.type}`, facts.apply(step, ids), said)
    await afterStep?.(index, step, player)
  }
  await player.settle()
  if (overrides.when === 'last') await player.saveChannelRules(overrides.rules)
  const expected = new Expected(facts)
  const random = createRandom(world.seed ^ 0x5eed)
  const asking = new Asking({ player, expected, found, random, thorough })
  await new ReportComparison(asking).run()
  await new MoneyComparison(asking).run()
  await new PeopleComparison(asking).run()
  return found.all
}

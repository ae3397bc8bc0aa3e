/**
 * Reads rows in batches, without a transaction.
 *
 * @param size the most rows of a batch; fewer are the last ones
 * @param readBatch reads the rows that follow the last one of the batch before
 */
export async function* readInBatches<Row>(
  size: number,
  readBatch: (last: Row | undefined) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  let last: Row | undefined;
  do {
    const rows = await readBatch(last);
    if (rows.length > 0) yield rows;
    last = rows.length < size ? undefined : rows.at(-1);
  } while (last !== undefined);
}

/** The columns of the items where there is room for them: of their headings, and of each row. */
export const itemColumns = "sm:grid-cols-[2rem_3rem_minmax(0,1fr)_8rem_8rem_6rem_2.75rem]";

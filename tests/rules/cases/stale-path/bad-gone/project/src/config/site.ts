export const site = 1;

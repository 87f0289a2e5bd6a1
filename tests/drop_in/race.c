/* SPDX-License-Identifier: Apache-2.0 */
/* Two threads write to one place: a missing thread sanitizer reports nothing here. */
#include <pthread.h>

static int place;
static void* write_to_it(void* argument) {
    place += argument != NULL;
    return NULL;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, NULL, write_to_it, &place);
    pthread_create(&other, NULL, write_to_it, &place);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    return place == 0;
}

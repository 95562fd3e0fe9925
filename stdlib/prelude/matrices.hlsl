// Functions of matrices. Functions that work component by component accept matrices too: the `N` of `vector<T, N>` also
// stands for the shape of a matrix (see the README of this folder).

// ---- mul: a vector on the left is a row, one on the right a column

template<typename T> [[wgc::on("number")]] T mul([[wgc::scalar]] T a, [[wgc::scalar]] T b) { return a * b; }
template<typename T, int N> [[wgc::on("number")]] vector<T, N> mul([[wgc::scalar]] T a, [[wgc::vector]] vector<T, N> b) { return a * b; }
template<typename T, int R, int C> [[wgc::on("number")]] matrix<T, R, C> mul([[wgc::scalar]] T a, [[wgc::matrix]] matrix<T, R, C> b) { return a * b; }
template<typename T, int N> [[wgc::on("number")]] vector<T, N> mul([[wgc::vector]] vector<T, N> a, [[wgc::scalar]] T b) { return a * b; }
template<typename T, int N> [[wgc::op("math.dot")]] [[wgc::on("number")]] T mul([[wgc::vector]] vector<T, N> a, [[wgc::vector]] vector<T, N> b);
template<typename T, int R, int C> [[wgc::op("matrix.product")]] [[wgc::on("number")]] vector<T, C> mul([[wgc::vector]] vector<T, R> a, [[wgc::matrix]] matrix<T, R, C> b);
template<typename T, int R, int C> [[wgc::on("number")]] matrix<T, R, C> mul([[wgc::matrix]] matrix<T, R, C> a, [[wgc::scalar]] T b) { return a * b; }
template<typename T, int R, int C> [[wgc::op("matrix.product")]] [[wgc::on("number")]] vector<T, R> mul([[wgc::matrix]] matrix<T, R, C> a, [[wgc::vector]] vector<T, C> b);
template<typename T, int R, int K, int C> [[wgc::op("matrix.product")]] [[wgc::on("number")]] matrix<T, R, C> mul([[wgc::matrix]] matrix<T, R, K> a, [[wgc::matrix]] matrix<T, K, C> b);

template<typename T, int R, int C> [[wgc::op("matrix.transpose")]] [[wgc::on("any")]] matrix<T, C, R> transpose([[wgc::matrix]] matrix<T, R, C> m);

// ---- determinant

template<typename T> [[wgc::on("float")]] T determinant([[wgc::matrix]] matrix<T, 1, 1> m) { return m._m00; }
template<typename T> [[wgc::on("float")]] T determinant([[wgc::matrix]] matrix<T, 2, 2> m)
{
    return m._m00 * m._m11 - m._m01 * m._m10;
}
template<typename T> [[wgc::on("float")]] T determinant([[wgc::matrix]] matrix<T, 3, 3> m)
{
    return dot(m[0], cross(m[1], m[2]));
}
// Expands by the minors of the upper and the lower two rows.
template<typename T> [[wgc::on("float")]] T determinant([[wgc::matrix]] matrix<T, 4, 4> m)
{
    vector<T, 3> upper0 = m._m00 * m._m11_m12_m13 - m._m10 * m._m01_m02_m03;
    vector<T, 3> lower0 = m._m20 * m._m31_m32_m33 - m._m30 * m._m21_m22_m23;
    vector<T, 3> upper = cross(m._m01_m02_m03, m._m11_m12_m13);
    vector<T, 3> lower = cross(m._m21_m22_m23, m._m31_m32_m33);
    return dot(upper0, lower) + dot(upper, lower0);
}
